package place

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/result"
)

// someLine is a line of pieces that places are made of.
func someLine(t *rapid.T) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"src/", "a.c", "T", "-", "_", ".", "C:", `\`, ":", ":", ":", "3", "0", "12", "1234567890", "999999999", " ", "(", ")", "[", "]: ", ", ", ", line ", ": line ", "Line 7", " col ", "error: ", "rest", "ö", "İ", "#", "=", "//", "2026-11-20T12:00:05Z", "$", "%", "+", "@", "~"}), 0, 9)
	begin := rapid.SampledFrom([]string{"", "", "src/a.c:", "a.c:3:", "T:3:", "b-c:0"})
	return begin.Draw(t, "begin") + strings.Join(pieces.Draw(t, "pieces"), "")
}

// TestPlain: the short way says of every line what the long one says.
func TestPlain(t *testing.T) {
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		line := someLine(t)
		if line == "" || strings.IndexByte(" \t:", line[0]) >= 0 {
			return
		}
		at, rest, ok := cutPlain(line)
		if !ok {
			return
		}
		plain++
		if wantAt, wantRest, wantOK := cutAny(line); !wantOK || at != wantAt || rest != wantRest {
			t.Fatalf("%q: %+v %q, want %+v %q %v", line, at, rest, wantAt, wantRest, wantOK)
		}
	})
	if plain == 0 {
		t.Error("no line was read the short way")
	}
}

// TestSentenceByWords: what is passed over unread in a sentence is no place.
func TestSentenceByWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := someLine(t) + rapid.SampledFrom([]string{"", " line 3", " LINE 3 of a.c", " ---line 4", " lİne 3 of a.c"}).Draw(t, "more")
		words := strings.Fields(text)
		want, many := theOnly(linesNamed(words))
		if want == nil && !many {
			want, _ = theOnly(func(yield func(result.Location) bool) {
				_ = slices.ContainsFunc(words, func(w string) bool {
					at, ok := fileAndLine(w)
					return ok && !yield(at)
				})
			})
		}
		if got := InSentence(text); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Fatalf("%q: %+v, want %+v", text, got, want)
		}
	})
}
