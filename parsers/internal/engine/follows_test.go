package engine

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab "))).Draw(t, "text")
		later := rapid.StringOfN(rapid.SampledFrom([]rune("ab ")), 1, 3, -1).Draw(t, "later")
		if got := follows([]byte(text), later); got != strings.Contains(text, later) {
			t.Fatalf("%q in %q: %v", later, text, got)
		}
	})
}
