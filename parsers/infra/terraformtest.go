package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// terraformTests reads terraform test's lines about the runs in test files:
//
//	tests/main.tftest.hcl... in progress
//	  run "short"... pass
//	  run "names"... fail
//	Failure! 1 passed, 1 failed.
//
// The error that made a run fail goes to stderr, and names the run unless the error's place is in a module.
type terraformTests struct {
	file   string
	failed []failedRun
}

type failedRun struct {
	id string
	at tool.Line
}

func (t *terraformTests) line(s *read.Sink, l tool.Line) bool {
	rest, run := strings.CutPrefix(l.Text, `  run "`)
	name, word, _ := strings.Cut(rest, `"... `)
	if file, busy := strings.CutSuffix(l.Text, ".tftest.hcl... in progress"); busy {
		t.file = file + ".tftest.hcl"
		return s.Sign(l)
	}
	if counts, ok := strings.CutPrefix(l.Text, "Failure! "); ok || strings.HasPrefix(l.Text, "Success! ") && strings.Contains(l.Text, " passed, ") {
		n := read.Counts(strings.TrimPrefix(counts, "Success! "))
		t.total(s, n["passed"], n["failed"], n["skipped"])
		return s.Close(l)
	}
	if !run || !t.ran(s, terraformRunID(t.file, name), word) {
		return strings.Contains(l.Text, ".tftest.hcl... ") && s.Sign(l)
	}
	if word == "fail" {
		t.failed = append(t.failed, failedRun{terraformRunID(t.file, name), l})
	}
	return s.Sign(l)
}

// ran reports the outcome of a run; it returns false if word is no outcome.
func (t *terraformTests) ran(s *read.Sink, id, word string) bool {
	came, ok := map[string]read.Outcome{"pass": tool.Passed, "fail": tool.Failed, "error": tool.Failed, "skip": tool.Skipped}[word]
	if ok {
		s.Ran(tool.Test{ID: id, Outcome: came})
	}
	return ok
}

func (t *terraformTests) total(s *read.Sink, passed, failed, skipped int) {
	s.Total(failed, map[string]int{"passed": passed, "failed": failed, "skipped": skipped})
	s.Tested = true
}

// name gives a finding to each failed run that no finding names. If there is one such run, the errors that name no
// run become its findings; otherwise each run gets a new finding.
func (t *terraformTests) name(s *read.Sink) {
	t.failed = slices.DeleteFunc(t.failed, func(r failedRun) bool {
		return slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == r.id })
	})
	named := false
	for i := range s.Findings {
		if f := &s.Findings[i]; len(t.failed) == 1 && f.ID == "" && f.Severity == result.SevError {
			failRun(f, t.failed[0].id)
			named = true
		}
	}
	for _, r := range t.failed {
		if !named {
			s.Find(r.at, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: r.id, Message: "failed"})
		}
	}
}

// failRun makes an error the failure of a test run.
func failRun(f *result.Finding, id string) {
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, id
}

func terraformRunID(file, run string) string { return file + " › " + run }
