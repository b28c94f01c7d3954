package parsers_test

import (
	"fmt"
	"path"
	"slices"
	"testing"

	"cairn/golden"
	"cairn/internal/racing"
	"cairn/parsers"
	"cairn/parsers/read"
	"cairn/result"
)

// TestByShape: documents that linters wrote are read by their shape alone, as those of a
// tool that no parser knows are, and tell of the same places, of the same rules.
func TestByShape(t *testing.T) {
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	places, rules, all, runs := 0, 0, 0, 0
	for i, c := range cases {
		if racing.Skips(i, 20) {
			continue
		}
		in := c.Input(c.Output)
		known := parsers.Parse(in, c.Exit)
		if known.Kind != result.Lint && known.Kind != result.Security || known.Parser == nil || !slices.Contains([]string{"json", "xml", "csv", "sarif", "checkstyle", "pmd", "gitlab", "rdjson"}, known.Parser.Format) {
			continue
		}
		byShape, rep, here := map[string]bool{}, read.Unknown(&in), 0
		if rep != nil {
			for _, f := range rep.Findings {
				if f.At != nil {
					at := fmt.Sprint(path.Base(f.At.Path), f.At.Line)
					byShape[at], byShape[at+f.Rule] = true, true
				}
			}
		}
		wanted := 0
		for _, f := range known.Findings {
			if f.At != nil && f.At.Line > 0 {
				at := fmt.Sprint(path.Base(f.At.Path), f.At.Line)
				wanted, all = wanted+1, all+1
				if byShape[at] {
					here++
				}
				if byShape[at+f.Rule] {
					rules++
				}
			}
		}
		places, runs = places+here, runs+1
		if here < wanted {
			t.Logf("%s: %d of %d", c.Name, here, wanted)
		}
	}
	t.Logf("%d runs: %d places and %d rules of %d", runs, places, rules, all)
	if !racing.Enabled && runs < 60 || places*100 < all*95 || rules*100 < all*60 {
		t.Errorf("%d runs: %d places and %d rules of %d", runs, places, rules, all)
	}
}
