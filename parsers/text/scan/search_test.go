package scan

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/text/scan/scantest"
	"cairn/parsers/text/term"
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
		g.tables.Look(text, fast)
		g.tables.Plain(text, plain)
		if !slices.Equal(fast, plain) {
			t.Fatalf("%q\n%x\n%x", text, fast, plain)
		}
		for i, b := range text[:len(fast)*SightSize] {
			v, bit := fast[i/SightSize], uint64(1)<<(i%SightSize)
			if v.Newline&bit != 0 != (b == '\n') || v.Odd&bit != 0 != (b != '\n' && b != '\t' && term.Odd([]byte{b})) {
				t.Fatalf("byte %q: %x", b, v)
			}
			if found := check(g, text, 0, i); found != Nothing && v.Hit&bit == 0 {
				t.Fatalf("a word at %d of %q is not seen", i, text)
			}
		}
	})
}

// Only letters have two cases: a control character is no "!" and no blank.
func TestCheckFoldsLetters(t *testing.T) {
	for text, want := range map[string]int{"ERR!": 0, "err!": 0, "err\x01": -1, "no\x00space": -1, "No Space": 0} {
		if got := NewSearch(nil).Alarm([]byte(text)); got != want {
			t.Errorf("%q: an alarm at %d, want %d", text, got, want)
		}
		if found := check(NewSearch(nil), []byte(text), 0, 0); found.Alarm != want && len(text) <= seedSize {
			t.Errorf("%q: checked, an alarm at %d, want %d", text, found.Alarm, want)
		}
	}
}

// TestCheck: every word that stands in a line is found there, unless it is one of
// alarm that is denied, and was a hit. The text in other lines changes nothing.
func TestCheck(t *testing.T) {
	laters := []string{" TS", ".py", " in ", "warning", "\xe2\x80\xa6x", "tests", " test", "rror: ", "  error  "}
	g := NewSearch(laters)
	rapid.Check(t, func(t *rapid.T) {
		text := scantest.SomeText(t, allAlarms())
		seen := g.Look(text, 0, make([]Sight, len(text)/SightSize+1))
		line := 0
		for _, one := range bytes.SplitAfter(text, []byte{'\n'}) {
			var alarms, wantAlarms []int
			var later, wantLater uint64
			for i := line; i < line+len(one); i++ {
				found := check(g, text, line, i)
				if found != Nothing && seen[i/SightSize].Hit>>(i%SightSize)&1 == 0 {
					t.Fatalf("a word at %d of %q is not a hit", i, text)
				}
				if later |= found.Later; found.Alarm >= 0 {
					alarms = append(alarms, found.Alarm-line)
				}
			}
			one = bytes.TrimSuffix(one, []byte{'\n'})
			for i := range one {
				for _, w := range AlarmWords {
					if len(one)-i >= len(w) && strings.EqualFold(string(one[i:i+len(w)]), w) && !negated(one[:i], w) && !none(one[i+len(w):]) {
						wantAlarms = append(wantAlarms, i)
					}
				}
			}
			for i, word := range laters {
				if bytes.Contains(one, []byte(word)) {
					wantLater |= LaterBit(i)
				}
			}
			slices.Sort(alarms)
			if alarms, wantAlarms = slices.Compact(alarms), slices.Compact(wantAlarms); !subset(alarms, wantAlarms) || len(alarms) == 0 && len(wantAlarms) > 0 || later != wantLater {
				t.Fatalf("%q: %v %x, want %v %x", one, alarms, later, wantAlarms, wantLater)
			}
			if at := g.Alarm(one); at < 0 && len(wantAlarms) > 0 || at >= 0 && !slices.Contains(alarms, at) {
				t.Fatalf("%q: %d, want one of %v", one, at, alarms)
			}
			line += len(one) + 1
		}
	})
}

func check(g *Search, text []byte, line, i int) Found {
	found := Nothing
	found.Check(g, text, line, i)
	return found
}

func subset(some, of []int) bool {
	return !slices.ContainsFunc(some, func(i int) bool { return !slices.Contains(of, i) })
}

// allAlarms are the words of AlarmWords.
func allAlarms() []string { return AlarmWords[:] }
