package casetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/read/place"
	"cairn/result"
)

func SameLines(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Problems lists what two formats of one run must agree on, a line per finding; column says whether columns count.
func Problems(r *result.ToolResult, column bool) []string {
	var all []string
	for _, f := range r.Findings {
		spot := f.Location
		if !column {
			spot, _, _ = place.CutLineNumber(spot)
		}
		all = append(all, strings.Join([]string{f.Fingerprint, spot, f.Rule, string(f.Severity)}, "|"))
	}
	slices.Sort(all)
	return all
}

// Shown lists a result's status and findings, for comparison with the raw output by a person.
func Shown(r *result.ToolResult) []string {
	all := []string{fmt.Sprintf("%s %s %s %v", r.Tool, r.Status, r.ParserConfidence, r.Counts)}
	for _, f := range r.Findings {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", f.Location, f.Severity, f.Rule, f.Message)))
	}
	return all
}

// SameFindings compares the multisets of path, line, rule and fingerprint. Findings in notebooks are left out: not
// every format gives the cell and the lines in it.
func SameFindings(t *testing.T, a, b *result.ToolResult) {
	t.Helper()
	keys := func(r *result.ToolResult) (all []string) {
		for _, f := range r.Findings {
			if f.At == nil || strings.HasSuffix(f.At.Path, ".ipynb") {
				continue
			}
			all = append(all, fmt.Sprintf("%s:%d %s %s %s", f.At.Path, f.At.Line, f.Rule, f.Fingerprint, f.Message))
		}
		slices.Sort(all)
		return all
	}
	SameLines(t, keys(a), keys(b))
}
