package parsers

import (
	"fmt"
	"strings"
	"testing"

	"cairn/result"
)

// TestCountsBeyondTheBound: how many findings are kept is not how many there are.
func TestCountsBeyondTheBound(t *testing.T) {
	const n = MaxFindings + 400
	many := func(head, item, sep, tail string) string {
		return head + strings.Repeat(item+sep, n-1) + item + tail
	}
	ruff := `{"code":"F401","filename":"/src/a.py","location":{"row":1,"column":8},"end_location":{"row":1,"column":10},"fix":null,"message":"unused","noqa_row":1,"url":null,"cell":null}`
	for _, c := range []struct{ line, out string }{
		{"ruff check --output-format json .", many("[\n", ruff, ",\n", "\n]\n")},
		{"ruff check --output-format json-lines .", many("", ruff, "\n", "\n")},
		{"ruff check --output-format github .", many("", "::error title=Ruff (F401),file=/src/a.py,line=1,col=8,endLine=1,endColumn=10::a.py:1:8: F401 unused", "\n", "\n")},
		{"yamllint -f parsable .", many("", "a.yaml:1:1: [error] too many spaces (colons)", "\n", "\n")},
		{"unknown-linter", many("", "a.x:1:1: error: something is wrong", "\n", "\n")},
	} {
		r := Parse(Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}, result.Exit{Observed: true, Code: 1})
		sum := 0
		for _, k := range r.Counts {
			sum += k
		}
		if len(r.Findings) == 0 || sum != n {
			t.Errorf("%s: counts %v of %d findings, told as %q", c.line, r.Counts, n, fmt.Sprint(r.Tool, " ", r.Status, ": ", r.Summary))
		}
	}
}
