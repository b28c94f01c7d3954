package engine

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// slowShape is what sameShape compares, written out: numbers are one digit, runs of
// blanks and of bars one sign.
func slowShape(s string) string {
	var b []rune
	for i := 0; i < len(s); {
		n := countDigits(s[i:])
		if i == 0 || !isWordByte(s[i-1]) {
			n = max(n, numberLen(s[i:]))
		}
		if n > 0 {
			b = append(b, digitFor(s[i:i+n]))
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r == '\t' {
			r = ' '
		} else if isBar(r) {
			r = '='
		}
		if (r == ' ' || r == '=') && len(b) > 0 && b[len(b)-1] == r {
			continue
		}
		b = append(b, r)
	}
	return string(b)
}

// TestSameShape compares with the slow way: lines made of what shapes are about, and
// such lines with one thing changed.
func TestSameShape(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a", "f", "0", "00", "7", "12", "deadbeef1", "abcdef", " ", "  ", "\t", "=", "#", "██", "█▏", "é", "\xff", "x1", "-", ">"})
	lines := rapid.Custom(func(t *rapid.T) []string { return rapid.SliceOfN(pieces, 0, 6).Draw(t, "line") })
	rapid.Check(t, func(t *rapid.T) {
		one := lines.Draw(t, "one")
		two := append([]string(nil), one...)
		if len(two) > 0 && rapid.Bool().Draw(t, "like it") {
			two[rapid.IntRange(0, len(two)-1).Draw(t, "at")] = pieces.Draw(t, "piece")
		} else {
			two = lines.Draw(t, "two")
		}
		a, b := strings.Join(one, ""), strings.Join(two, "")
		if got, want := sameShape(a, b), slowShape(a) == slowShape(b); got != want {
			t.Fatalf("sameShape(%q, %q) = %v; the shapes are %q and %q", a, b, got, slowShape(a), slowShape(b))
		}
	})
}

// TestGroupBytes: a group is measured without being written.
func TestGroupBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := group{first: shownLine{number: 7, text: rapid.StringN(0, 9, -1).Draw(t, "first")}}
		g.last = g.first
		if n := rapid.Int64Range(0, 12).Draw(t, "more"); n > 0 {
			g.last.number += n
			g.last.text = rapid.SampledFrom([]string{g.first.text, "other"}).Draw(t, "last")
		}
		var b strings.Builder
		if g.write(&b); b.Len() != g.bytes() {
			t.Fatalf("%d bytes are written, and %d counted:\n%s", b.Len(), g.bytes(), b.String())
		}
	})
}
