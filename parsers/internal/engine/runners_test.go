package engine

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// One reason explains one failed recipe: the text between two of a runner's is of the
// one behind, as make prints it, or of the one before, as ninja does.
func TestExplainedBeside(t *testing.T) {
	for _, tc := range []struct{ name, output, want string }{
		{"make", "RFRF", "yy"},
		{"ninja", "FRFR", "yy"},
		{"make, a target that failed silently before", "FRF", "ny"},
		{"make, and one behind", "RFF", "yn"},
		{"ninja, whose first command printed nothing", "FFR", "ny"},
		{"both printed before both failed", "RRFF", "yn"},
		{"one", "RF", "y"},
		{"one, told above", "FR", "y"},
		{"none", "FF", "nn"},
	} {
		var findings []result.Finding
		var told []reason
		for i, c := range tc.output {
			at := result.Span{Start: int64(i) * 10, End: int64(i)*10 + 9}
			if c == 'R' {
				told = append(told, reason{at: at})
			} else {
				findings = append(findings, result.Finding{Kind: result.BuildError, Severity: result.SevError, ID: "all", RawSpan: &at, At: &result.Location{Path: "Makefile"}})
			}
		}
		got := ""
		for _, yes := range explainedBeside(findings, told) {
			got += map[bool]string{true: "y", false: "n"}[yes]
		}
		if got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestToldTwice: of a failure that a runner of tests and what it ran tell, one stays, whatever else the runner's test holds.
func TestToldTwice(t *testing.T) {
	runner, ran := &tool.Parser{Tool: "ctest", Kind: result.Test, Runner: true}, &tool.Parser{Tool: "googletest", Kind: result.Test}
	outer := &claim{parser: runner, report: &tool.Report{Findings: []result.Finding{{ID: "Tank.Fills", Detail: "[  FAILED  ] Tank.Fills\n[  FAILED  ] Tank.Leaks"}, {ID: "smoke", Detail: "it overfills"}}}}
	inner := &claim{parser: ran, report: &tool.Report{Findings: []result.Finding{{ID: "Tank.Fills"}, {ID: "Tank.Leaks", At: &result.Location{Path: "t.cc", Line: 3}}, {ID: "fill", At: &result.Location{Path: "u.cc", Line: 4}}}}}
	twice := toldTwice([]*claim{outer, inner})
	fills := 0
	for _, f := range []*result.Finding{&outer.report.Findings[0], &inner.report.Findings[0]} {
		if !twice[f] {
			fills++
		}
	}
	if fills != 1 || twice[&inner.report.Findings[1]] || twice[&outer.report.Findings[1]] {
		t.Errorf("Tank.Fills is told %d times; told twice: %v", fills, twice)
	}
}
