package report

import (
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/result"
)

// TestFailureBesideWarnings: a run that failed, and of which only warnings are found, is a failure in every format.
func TestFailureBesideWarnings(t *testing.T) {
	warning := result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: "-Wunused", Message: "unused variable 'y'", At: &result.Location{Path: "x.c", EndLine: 3}}
	run := runOf(t, []result.Finding{warning}, func(rec *manifest.Record) { rec.Argv = []string{"make", "all"} })
	run.Kind, run.Tool = result.Build, "make"
	r := &Report{Runs: []*Run{run}}
	for format, want := range map[string]string{
		"github": "::error title=make all::", "gitlab": `"severity":"critical"`, "rdjson": `"message":"` + run.Verdict + `"`, "vim": "cairn: make all: ",
		"junit": "<error ", "ctrf": `"failed":1`, "teamcity": "##teamcity[buildProblem ", "sarif": `"executionSuccessful":false`, "markdown": "1 of 1 command failed",
	} {
		if got := strings.ReplaceAll(written(t, format, r), `": `, `":`); !strings.Contains(got, want) {
			t.Errorf("%s has no %s:\n%s", format, want, got)
		}
	}
}

// TestFailureBesideOtherWord: a test that a list calls expected to fail, and a finding calls failed, failed.
func TestFailureBesideOtherWord(t *testing.T) {
	run := runOf(t, []result.Finding{failedTest(1)})
	run.Cases = []Case{{ID: "tests/test_cart.py::test_total_1", Outcome: "xfailed", Duration: -1}}
	failed := 0
	for _, c := range run.cases() {
		if c.failed() && !c.skipped() && strings.Contains(c.finding.Message, "assert 1 == 2") {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d cases failed, want 1", failed)
	}
}
