package recall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFoldAgainstReference: a place that the search for bytes finds lies in every
// text that the search for letters in any case matches.
func TestFoldAgainstReference(t *testing.T) {
	letters := rapid.SampledFrom([]string{"a", "A", "q", "Q", "k", "K", "\u212a", "i", "I", "\u0130", "\u0131", "é", "É", "ſ", " ", "7", ":", "_", part})
	words := rapid.Custom(func(rt *rapid.T) string { return strings.Join(rapid.SliceOfN(letters, 0, 8).Draw(rt, "letters"), "") })
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.ToLower(words.Draw(rt, "text"))
		rare := rarest(text)
		if rare < 0 || strings.Contains(text, part) {
			return
		}
		before, in, behind := words.Draw(rt, "before"), words.Draw(rt, "in"), words.Draw(rt, "behind")
		if !matcher(text)(in) {
			return
		}
		found := false
		eachFold([]byte(before+in+behind), text, rare, func(at int) {
			found = found || at >= len(before) && at < len(before)+len(in)
		})
		if !found {
			rt.Fatalf("%q is in %q, and no place of it was found", text, in)
		}
	})
}
