package parsers

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// someText draws text of words that mean something, of halves of them and of
// any bytes.
func someText(t *rapid.T) []byte {
	pieces := []string{"\n", "\n", " ", "x", "no ", "0 ", ": 0", "\r", "\x1b[31m", "é", "\xff", "\t", "✗ ", "*** ", " TS", "a.py", "=", "1:2 \t[*] F401", "12 passed in 3s"}
	for _, w := range alarmWords {
		pieces = append(pieces, w.word, w.word[:3])
	}
	var text []byte
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 80).Draw(t, "pieces") {
		text = append(text, p...)
		text = append(text, bytes.Repeat([]byte("-"), rapid.IntRange(0, 9).Draw(t, "dashes"))...)
	}
	return text
}

// TestGlance: what the fast glance sees is what the plain one sees, and that is
// what a search sees.
func TestGlance(t *testing.T) {
	g := newGlass([]string{" TS", ".py", " in ", "warning", "\xe2\x80\xa6x"})
	rapid.Check(t, func(t *rapid.T) {
		text := append(someText(t), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
		text = append(text, make([]byte, 2*sightSize)...)
		fast := make([]sight, (len(text)-seedSize)/sightSize)
		plain := slices.Clone(fast)
		glance(&g.groups, text, fast)
		glancePlain(&g.groups, text, plain)
		if !slices.Equal(fast, plain) {
			t.Fatalf("%q\n%x\n%x", text, fast, plain)
		}
		for i, b := range text[:len(fast)*sightSize] {
			v, bit := fast[i/sightSize], uint64(1)<<(i%sightSize)
			if v.newline&bit != 0 != (b == '\n') || v.odd&bit != 0 != (b != '\n' && b != '\t' && odd([]byte{b})) {
				t.Fatalf("byte %q: %x", b, v)
			}
			if alarm, later := g.check(text, i); (alarm || later != 0) && v.hit&bit == 0 {
				t.Fatalf("a word at %d of %q is not seen", i, text)
			}
		}
	})
}

// TestCheck: every word that stands in a text is found there.
func TestCheck(t *testing.T) {
	laters := []string{" TS", ".py", " in ", "warning", "\xe2\x80\xa6x"}
	g := newGlass(laters)
	rapid.Check(t, func(t *rapid.T) {
		text := someText(t)
		var alarm, wantAlarm bool
		var later, wantLater uint64
		for i := range text {
			a, l := g.check(text, i)
			alarm, later = alarm || a, later|l
		}
		for _, w := range alarmWords {
			wantAlarm = wantAlarm || bytes.Contains(bytes.ToLower(text), []byte(w.word))
		}
		for i, word := range laters {
			if bytes.Contains(text, []byte(word)) {
				wantLater |= laterBit(i)
			}
		}
		if alarm != wantAlarm || later != wantLater {
			t.Fatalf("%q: %v %x, want %v %x", text, alarm, later, wantAlarm, wantLater)
		}
	})
}
