package read

import (
	"regexp"
	"testing"

	"cairn/result"
)

// TestSpellings: a test's id as filters of runners take it.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ id, full, last string }{
		{"a.spec.ts › cart › adds", "cart adds", "adds"},
		{"[chromium] › a.spec.ts › cart › sum(1+1)", `cart sum\(1\+1\)`, `sum\(1\+1\)`},
		{"adds 1.5", "adds 1.5", "adds 1.5"},
		{"a.spec.ts", "", ""}, // a file that could not be loaded
	} {
		f := &result.Finding{ID: c.id}
		if full, last := FullName(f), LastTitle(f); full != c.full || last != c.last {
			t.Errorf("%s: %q and %q", c.id, full, last)
		}
	}
	loose := FullNameLoosely(&result.Finding{ID: "a.test.ts > a > b (c) > d"})
	if re := regexp.MustCompile(loose); !re.MatchString("a b (c) d") || re.MatchString("a d") {
		t.Errorf("loosely: %q", loose)
	}
}
