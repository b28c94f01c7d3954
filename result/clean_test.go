package result

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\tb\nc", "a\tb\nc"},
		{"colour", "\x1b[31;1mred\x1b[0m", "red"},
		{"colon parameters", "\x1b[38:2::1:2:3mx", "x"},
		{"hyperlink with ST", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"title with BEL", "\x1b]0;title\adone", "done"},
		{"device control", "\x1bPq#0\x1b\\x", "x"},
		{"OSC not closed", "\x1b]0;kept", "0;kept"},
		{"OSC not closed on its line", "\x1b]0;kept\nmore\a", "0;kept\nmore"},
		{"charset", "\x1b(Bx", "x"},
		{"reset", "\x1bcx", "x"},
		{"lone escape", "a\x1b", "a"},
		{"escape before a letter outside ASCII", "\x1bé", "é"},
		{"8-bit CSI", "\u009b31mx", "x"},
		{"8-bit OSC and ST", "\u009d0;t\u009cx", "x"},
		{"other C1", "a\u0084b", "ab"},
		{"NUL and DEL", "a\x00b\x7fc", "abc"},
		{"backspace", "a\bb", "ab"},
		{"CRLF", "a\r\nb\rc", "a\nb\nc"},
		{"line breaks of Unicode", "a\u0085b\u2028c\u2029d", "a\nb\nc\nd"},
		{"override", "a\u202eb\u2066c\u200fd", "abcd"},
		{"tag characters", "a\U000e0041b", "ab"},
		{"joiner stays", "a\u200db", "a\u200db"},
		{"not UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"raw C1 byte is not UTF-8", "a\x9b31mb", "a\ufffd31mb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
	if got := CleanLine(" a\r\n\tb\u2028 "); got != "a  b" {
		t.Errorf("CleanLine: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\x1b]8;;x\x1b\\y\u009b\r\n")
	f.Add("\x1b]\x1b]\x1bP\u009d\xc2\x9c\xc2")
	f.Fuzz(func(t *testing.T, s string) {
		once := Clean(s)
		if !utf8.ValidString(once) {
			t.Fatalf("%q is not UTF-8", once)
		}
		for _, r := range once {
			if r != '\n' && r != '\t' && hidden(r) {
				t.Fatalf("%q shows %U", once, r)
			}
		}
		if again := Clean(once); again != once {
			t.Fatalf("again: %q, once: %q", again, once)
		}
		if line := CleanLine(s); strings.ContainsAny(line, "\r\n\t") || CleanLine(line) != line {
			t.Fatalf("CleanLine: %q", line)
		}
	})
}
