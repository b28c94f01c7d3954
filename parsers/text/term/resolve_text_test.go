package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestResolve(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"plain", "a\tb", "a\tb"},
		{"utf-8", "größe ✖ 日本", "größe ✖ 日本"},
		{"CR at the end", "done\r", "done"},
		{"CR CR at the end", "done\r\r", "done"},
		{"SGR", "\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mx\x1b[m", "error: x"},
		{"SGR with colons", "\x1b[38:5:9mred", "red"},
		{"OSC 8 with ST", "\x1b]8;;file:///a\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"OSC 8 with BEL", "\x1b]8;;file:///a\alink\x1b]8;;\a", "link"},
		{"OSC with C1 ST", "\x1b]0;title\u009ctext", "text"},
		{"DCS", "\x1bP1$r0m\x1b\\text", "text"},
		{"APC", "\x1b_Gf=24;AAAA\x1b\\text", "text"},
		{"C1 CSI", "\u009b31merror\u009b0m", "error"},
		{"C1 OSC", "\u009d0;title\atext", "text"},
		{"C1 control", "a\u0085b\u008dc", "abc"},
		{"OSC not closed", "\x1b]0;title error: gone", "0;title error: gone"},
		{"DCS not closed", "\x1bPerror: x", "error: x"},
		{"CSI not closed", "ab\x1b[31", "ab31"},
		{"CSI cut by text", "\x1b[3é", "3é"},
		{"escape at the end", "ab\x1b", "ab"},
		{"escape before a letter with an accent", "\x1bé", "é"},
		{"charset", "\x1b(Bx\x1b)0y", "xy"},
		{"two-byte escape", "\x1b=x\x1b7y", "xy"},
		{"progress", "10%\r50%\r100%", "100%"},
		{"shorter text over longer", "downloading\rdone", "doneloading"},
		{"erase to the right", "downloading\r\x1b[Kdone", "done"},
		{"erase to the right, spelled out", "downloading\r\x1b[0Kdone", "done"},
		{"erase the line", "\x1b[2K\rdone", "done"},
		{"erase the line after it", "downloading\x1b[2K\rdone", "done"},
		{"erase at the end keeps blanks", "a  \x1b[K", "a  "},
		{"cursor to column one", "working\x1b[1G\x1b[Kdone", "done"},
		{"cursor to the right", "a\x1b[3Cb", "a b"},
		{"cursor up", "\x1b[1A\x1b[2Kdone", "done"},
		{"backspace", "-\b\\\b|\bok", "ok"},
		{"overstrike", "n\bna\bam\bme\be", "name"},
		{"backspace at the beginning", "\b\bx", "x"},
		{"NUL", "a\x00b", "ab"},
		{"controls", "a\x01\x02\x0b\x0c\x7fb", "ab"},
		{"Latin-1", "pr\xfcfung", "pr\uFFFDfung"},
		{"run of invalid bytes", "a\xff\xfe\xfdb", "a\uFFFDb"},
		{"half a C1", "\xc2m[0\x1b\x9b", "\uFFFDm[0\uFFFD"},
		{"a C1 that an escape hides", "a\xc2\x1b[0m\x9b31mb", "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Resolve([]byte(c.line))); got != c.want {
				t.Errorf("resolve(%q) = %q, want %q", c.line, got, c.want)
			}
		})
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a\rb\x1b[Kc", "\x1b]8;;x\a", "\u009b1m", "\xc2\x1b[0m\x9b", "a\b\b\x1b[2Kz", "\x1bP\x1b\x1b\\", "\x1b[3C\x1b[1G"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), nil)
		before := bytes.Clone(line)
		got := string(Resolve(line))
		if !bytes.Equal(line, before) {
			t.Fatalf("%q was changed to %q", before, line)
		}
		if again := string(Resolve([]byte(got))); again != got {
			t.Errorf("%q: %q, and again %q", line, got, again)
		}
		if n := utf8.RuneCountInString(got); n > len(line) {
			t.Errorf("%q: %d bytes became %d runes", line, len(line), n)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			t.Errorf("%q: %q", line, got)
		}
	})
}
