package report

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/result"
)

// runOf is a run of pytest with findings, made as Gather makes it.
func runOf(t testing.TB, findings []result.Finding, edit ...func(*manifest.Record)) *Run {
	t.Helper()
	exit := 1
	r := &result.ToolResult{Tool: "pytest", Kind: result.Test, Status: result.Failed, ExitCode: &exit, Counts: map[string]int{"failed": len(findings)},
		ParserConfidence: result.Parsed, Findings: findings}
	result.Seal(r, result.Workspace{})
	rec := &manifest.Record{ID: "01M8AK0DJK77HG82JNJH52V7NY", Time: time.Date(2026, 11, 26, 0, 10, 10, 0, time.UTC), Argv: []string{"pytest", "-q"}, Dir: ".",
		Exit: &exit, DurationMS: 1482, Git: &manifest.Git{Commit: "57a561f999e01d6236c523b6dd0635885c1e16b7", Branch: "main"}}
	for _, e := range edit {
		e(rec)
	}
	run := factsOf(rec, r)
	for _, f := range r.Findings {
		run.Findings = append(run.Findings, Finding{clean(f), New, run})
	}
	return run
}

// failedTest is a failed test with everything that a finding can have.
func failedTest(n int) result.Finding {
	at := result.Location{Path: "tests/test_cart.py", Line: 10 + n, Column: 5, Function: "test_total"}
	return result.Finding{
		Kind: result.TestFailure, Severity: result.SevFailure, ID: fmt.Sprintf("tests/test_cart.py::test_total_%d", n), Name: "test_total", Rule: "AssertionError",
		Message: "assert 1 == 2", Expected: "2", Actual: "1", Detail: "> assert total == 2\n  cart.py:5", At: &at,
		Frames:  []result.Location{at, {Path: "cart.py", Line: 5, Function: "total"}},
		Related: []result.Related{{Message: "caused by KeyError: 'x'", At: &result.Location{Path: "cart.py", Line: 7}}},
	}
}

// sample is a report with findings in every state: of a run of tests, of a linter, and of a
// command that failed without a word.
func sample(t testing.TB) *Report {
	lint := result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: "F401", RuleURL: "https://docs.astral.sh/ruff/rules/unused-import/", Message: "`os` imported but unused", At: &result.Location{Path: "cart.py", Line: 1, Column: 8, EndLine: 1, EndColumn: 10}}
	audit := result.Finding{Kind: result.Vulnerability, Severity: result.SevError, Rule: "GHSA-1", Message: "lodash before 4.17.21"}
	tests := runOf(t, []result.Finding{failedTest(1), failedTest(2), failedTest(3), failedTest(4)})
	for i, state := range []State{Known, New, Flaky, ""} {
		tests.Findings[i].State = state
	}
	tests.Base, tests.Where, tests.Was = "01M8AK0B90N4RWFK14TPKZMYTP", "on this branch", 300
	for i, state := range []State{Fixed, Gone} {
		gone := tests.Findings[0]
		gone.ID, gone.State = fmt.Sprintf("tests/test_cart.py::test_gone_%d", i), state
		tests.Away = append(tests.Away, gone)
	}
	linter := runOf(t, []result.Finding{lint, audit}, func(rec *manifest.Record) { rec.ID, rec.Argv = "01M8AK0CJK77HG82JNJH52V7NY", []string{"lint"} })
	linter.Tool, linter.Kind = "ruff", result.Lint
	silent := runOf(t, nil, func(rec *manifest.Record) { rec.ID, rec.Argv = "01M8AK0BJK77HG82JNJH52V7NY", []string{"make"} })
	silent.Tool, silent.Kind = "make", result.Build
	older := runOf(t, nil, func(rec *manifest.Record) { rec.ID = "01M8AK0AJK77HG82JNJH52V7NY" })
	older.Older = true
	return &Report{Runs: []*Run{tests, linter, silent, older}, Version: "1.2.3"}
}

// written is a report in a format.
func written(t testing.TB, name string, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, name, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.String()
}
