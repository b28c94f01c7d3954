package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// disguised draws text with all that a view leaves out or reads.
func disguised() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"token", "=", "\n", "\t", "\x1b[31m", "\x1b[", "\x1b]0;title\a", "\x1b]8;;", "\x1b", "\u200b", "\ufeff", "\u00ad", "\u2028", "\x00", "\x00a\x00", "\x7f", "\xff", "\xe2\x80",
		`\u0041`, `\\u200b`, `\u001b[1m`, `\x41`, `\033[0m`, `\e[0m`, `\/`, "%41", "%3d", "%", "&quot;", "&#65;", "&#x41;", "&", `\n`, `\`, `\u12`, "é", "👩‍🔬",
	}))
	return rapid.Map(rapid.SliceOfN(piece, 0, 12), func(p []string) string { return strings.Join(p, "") })
}

func TestViewKnowsWhereItsBytesStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := disguised().Draw(t, "text")
		v := viewOf(s)
		if v == nil {
			return
		}
		last := 0
		for i := range len(v.s) {
			start, end := v.raw(i, i+1)
			if start < last || start >= end || end > len(s) {
				t.Fatalf("byte %d of the view stands at %d:%d, behind %d of %d", i, start, end, last, len(s))
			}
			if end == start+1 && s[start] != v.s[i] {
				t.Fatalf("byte %d of the view is %q, and %q in the text", i, v.s[i], s[start])
			}
			last = end
		}
	})
}

func TestSeeker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := disguised().Draw(t, "text")
		from := rapid.IntRange(0, len(s)).Draw(t, "from")
		want := -1
		for i := from; i < len(s) && want < 0; i++ {
			if mayHide[s[i]] == hides {
				want = i
			}
		}
		if got := (&seeker{s: s}).next(from); got != want {
			t.Errorf("found %d, want %d, in %q", got, want, s)
		}
	})
}

// TestBrokenWords: a long word that the edge of a terminal broke is whole, whatever stands before its lines.
func TestBrokenWords(t *testing.T) {
	word := random(11, word, 60)
	for _, width := range foldWidths {
		for _, before := range []string{"", "\n", "a short line\nand another\n", strings.Repeat("x y\n", 50)} {
			text := strings.Repeat("a b ", 40)[:width-20] + word
			broken := before + text[:width] + "\n" + text[width:] + " end\nnext line\n"
			v := viewOf(broken)
			if v == nil || v.s != before+text+" end\nnext line\n" {
				t.Errorf("width %d behind %q: %+v", width, before, v)
			}
		}
	}
	for _, s := range []string{strings.Repeat("a b ", 20) + "\nnext", strings.Repeat("words", 16) + "\nmore", strings.Repeat("a", 60) + "1\n2" + strings.Repeat("b", 60)} {
		if v := viewOf(s); v != nil {
			t.Errorf("%q is joined: %q", s, v.s)
		}
	}
}

func TestView(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\x1b[1;31mb\x1b[0mc", "abc"},
		{"a\x1b]8;;https://example.org\x1b\\b\x1b]8;;\x1b\\c", "abc"},
		{"a\u200bb\ufeffc\u00add", "abcd"},
		{`a\u200bb\\u2060c\u0041\x42\/`, "abcAB/"},
		{`a\u001b[31mb\x1b[0mc\033[0md\e[1me`, "abcde"},
		{"k\x00e\x00y\x00", "key"},
		{"a%62%3D%22c%22%20%0A", `ab="c"%20%0A`},
		{"&quot;a&quot;&#58;&#x22;b&#X5f;c&amp;&nbsp;&#10;&#", "\"a\":\"b_c&&nbsp;&#10;&#"},
		{"100% of a & b, %d%s%%", ""},
		{"A=b\x00C=d", ""}, // as in /proc/self/environ: two values
		{`C:\users\x`, ""},
		{"caf\u00e9 日本語 line\nbreak\ttab", ""},
	} {
		v := viewOf(c.text)
		if v == nil {
			v = &view{}
		}
		if v.s != c.want {
			t.Errorf("%q is seen as %q, want %q", c.text, v.s, c.want)
		}
	}
}
