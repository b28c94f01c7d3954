package scan

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/internal/scan/scantest"
	"cairn/parsers/internal/term"
)

// TestGlance: what the fast glance sees is what the plain one sees, and that is
// what a search sees.
func TestGlance(t *testing.T) {
	g := NewSearch([]string{" TS", ".py", " in ", "warning", "\xe2\x80\xa6x"})
	rapid.Check(t, func(t *rapid.T) {
		text := append(scantest.SomeText(t, allAlarms()), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
		text = append(text, make([]byte, 2*SightSize)...)
		fast := make([]Sight, (len(text)-seedSize)/SightSize)
		plain := slices.Clone(fast)
		glance(g, text, fast)
		glancePlain(g, text, plain)
		if !slices.Equal(fast, plain) {
			t.Fatalf("%q\n%x\n%x", text, fast, plain)
		}
		for i, b := range text[:len(fast)*SightSize] {
			v, bit := fast[i/SightSize], uint64(1)<<(i%SightSize)
			if v.Newline&bit != 0 != (b == '\n') || v.Odd&bit != 0 != (b != '\n' && b != '\t' && term.Odd([]byte{b})) {
				t.Fatalf("byte %q: %x", b, v)
			}
			if alarm, later := g.Check(text, i); (alarm || later != 0) && v.Hit&bit == 0 {
				t.Fatalf("a word at %d of %q is not seen", i, text)
			}
		}
	})
}

// TestCheck: every word that stands in a text is found there, and was a hit.
func TestCheck(t *testing.T) {
	laters := []string{" TS", ".py", " in ", "warning", "\xe2\x80\xa6x", "tests", " test", "rror: ", "  error  "}
	g := NewSearch(laters)
	rapid.Check(t, func(t *rapid.T) {
		text := scantest.SomeText(t, allAlarms())
		seen := g.Look(text, 0, make([]Sight, len(text)/SightSize+1))
		var alarm, wantAlarm bool
		var later, wantLater uint64
		for i := range text {
			a, l := g.Check(text, i)
			if (a || l != 0) && seen[i/SightSize].Hit>>(i%SightSize)&1 == 0 {
				t.Fatalf("a word at %d of %q is not a hit", i, text)
			}
			alarm, later = alarm || a, later|l
		}
		for _, w := range AlarmWords {
			wantAlarm = wantAlarm || bytes.Contains(bytes.ToLower(text), []byte(w.Word))
		}
		for i, word := range laters {
			if bytes.Contains(text, []byte(word)) {
				wantLater |= LaterBit(i)
			}
		}
		if alarm != wantAlarm || later != wantLater {
			t.Fatalf("%q: %v %x, want %v %x", text, alarm, later, wantAlarm, wantLater)
		}
	})
}

// allAlarms are the words of AlarmWords.
func allAlarms() (all []string) {
	for _, w := range AlarmWords {
		all = append(all, w.Word)
	}
	return all
}
