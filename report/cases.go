package report

import (
	"cmp"
	"slices"
	"strings"
)

// told is one entry in a format of test results: a test, or another finding.
type told struct {
	Case
	finding *Finding // nil if the test has no finding
	run     *Run
}

// subtests are the tests with failed parts that runners name after the test, as unittest does: "a.B.test_c (n=1)". Each
// part is a case, and the test is not counted in addition.
func (r *Run) subtests() map[string]bool {
	tests := map[string]bool{}
	for _, f := range r.Findings {
		if test, _, ok := strings.Cut(f.ID, " ("); ok && f.isTest() {
			tests[test] = true
		}
		if test, _, ok := strings.Cut(f.ID, " ["); ok && f.isTest() {
			tests[test] = true
		}
	}
	return tests
}

// skipped says whether the test has not been run or was skipped.
func (t told) skipped() bool {
	return slices.Contains([]string{"skipped", "xfailed", "not_run"}, t.Outcome)
}

func (t told) failed() bool { return t.finding != nil && t.finding.fails() }

// cases are the tests of a run, with their findings; then findings of other kinds, each a case of its own; and last the
// run itself, if it failed without a finding that says why, or if not all findings are here.
func (r *Run) cases() (all []told) {
	found := map[string][]*Finding{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.isTest() && f.ID != "" {
			found[f.ID] = append(found[f.ID], f)
		}
	}
	parts := r.subtests()
	seen := map[*Finding]bool{}
	for _, c := range r.Cases {
		t := told{Case: c, run: r}
		if of := found[c.ID]; len(of) > 0 && c.Outcome != "passed" && !t.skipped() {
			t.finding, found[c.ID] = of[0], of[1:]
			seen[of[0]] = true
		} else if parts[c.ID] {
			continue
		} else if c.Outcome == "failed" || c.Outcome == "error" {
			t.finding = &Finding{Run: r}
			t.finding.ID, t.finding.Severity, t.finding.Message = c.ID, "failure", c.Outcome
		}
		all = append(all, t)
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; !seen[f] {
			all = append(all, told{Case{ID: f.name(), Outcome: "failed", Duration: -1}, f, r})
		}
	}
	if r.Failed() && (!slices.ContainsFunc(all, told.failed) || r.Hidden > 0) {
		f := &Finding{Run: r}
		f.ID, f.Severity, f.Message, f.Rule = r.Command, "error", r.Verdict, string(r.Status)
		all = append(all, told{Case{ID: cmp.Or(r.Command, r.Tool), Outcome: "error", Duration: -1}, f, r})
	}
	return all
}
