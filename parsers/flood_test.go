package parsers_test

import (
	"encoding/json"
	"testing"

	"cairn/golden"
	"cairn/parsers"
	"cairn/parsers/tool"
)

// TestFloodsAreCounted: of a recorded run with more findings than are kept, the short
// way that only counts says what the long way says.
func TestFloodsAreCounted(t *testing.T) {
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { tool.MaxFindings, tool.ReadAll = tool.MostFindings, false }()
	for _, c := range cases {
		whole := parsers.Parse(c.Input(c.Output), c.Exit)
		for _, kept := range []int{1, 2, len(whole.Findings) / 2} {
			if kept == 0 || kept >= len(whole.Findings) {
				continue
			}
			tool.MaxFindings, tool.ReadAll = kept, true
			want, _ := json.Marshal(parsers.Parse(c.Input(c.Output), c.Exit))
			tool.ReadAll = false
			got, _ := json.Marshal(parsers.Parse(c.Input(c.Output), c.Exit))
			tool.MaxFindings = tool.MostFindings
			if string(got) != string(want) {
				t.Errorf("%s, of which %d are kept:\n%s\nwant\n%s", c.Name, kept, got, want)
			}
		}
	}
}
