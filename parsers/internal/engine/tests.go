package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/outcomes"
	"cairn/parsers/tool"
	"cairn/result"
)

// Outcomes returns the outcome of every test that the output and reports name, and an account of that list. Call it
// after Result; both are nil if no tests ran. This file is the only place in which the list is compared with the
// runner's own counts and with the exit.
func (s *Session) Outcomes() (outcomes.List, *result.Outcomes) {
	if s.tests.tell != nil {
		s.tests = s.tests.tell()
	}
	return s.tests.list, s.tests.said
}

// tests is a list of tests with the account of it.
type tests struct {
	list outcomes.List
	said *result.Outcomes
	tell func() tests // makes the list when it is first needed
}

// tellTests makes the list for all parts.
func (s *Session) tellTests(r *result.ToolResult, parts []*claim, exit result.Exit) (all tests) {
	for _, m := range parts {
		if !m.ranTests() {
			continue
		}
		t := m.tests()
		t.list = slices.DeleteFunc(t.list, func(t outcomes.Test) bool { return m.again[t.ID] })
		t.said.Counts = t.list.Counts()
		if t.said.Reason == "" && len(m.again) > 0 && t.said.Counts[string(outcomes.Passed)] > 0 { // as ctest does of each program that passed
			t.said.Reason = "the tests inside of a test are shown only where it failed"
		}
		if t.said.Reason == "" && s.in.Truncated {
			t.said.Reason = "the output is cut short"
		}
		if len(parts) > 1 {
			for i := range t.list {
				t.list[i].Tool = m.parser.Tool
			}
			if t.said.Reason != "" {
				t.said.Reason = m.parser.Tool + ": " + t.said.Reason
			}
		}
		all.join(t)
	}
	if all.said == nil {
		return all
	}
	for i := range all.list {
		all.list[i].ID = s.in.Workspace.ShownID(all.list[i].ID)
	}
	all.said.Reason = cmp.Or(contradicted(all, r, exit), all.said.Reason)
	all.said.Complete = all.said.Reason == ""
	if len(parts) > 1 {
		all.list.Sort()
	}
	return all
}

// ranTests reports whether the part is a test run, or names tests anyway.
func (m *claim) ranTests() bool {
	rep := m.report
	tested := rep.Tested || slices.ContainsFunc(rep.Findings, isTest)
	return !m.shape && (rep.Tests != nil || m.parser.Kind == result.Test && tested)
}

// join adds the tests of another part.
func (t *tests) join(o tests) {
	if t.said == nil {
		*t = o
		return
	}
	t.list = append(t.list, o.list...)
	t.said.Reason = cmp.Or(t.said.Reason, o.said.Reason)
	for key, n := range o.said.Counts {
		t.said.Counts = addCount(t.said.Counts, key, n)
	}
	for key, n := range o.said.Unnamed {
		t.said.Unnamed = addCount(t.said.Unnamed, key, n)
	}
}

// tests returns the list of one part, compared with its runner's counts.
func (m *claim) tests() tests {
	rep := *m.report
	told := rep.Tests != nil
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if t, is := outcomes.OfFinding(f); is && (f.Source == "" || f.Source == m.parser.Tool) {
			if of := m.parser.TestOf; of != nil && of(f.ID) != f.ID {
				rep.Part(of(f.ID), f.ID, t.Outcome)
				continue
			}
			if told {
				rep.Found(t)
			} else {
				rep.Ran(t)
			}
		}
	}
	var t tests
	t.said = &result.Outcomes{}
	why := ""
	if ts := rep.Tests; ts != nil {
		t.list = ts.List()
		t.said.Unnamed, why = ts.Against(rep.Counts)
		why = cmp.Or(ts.Why(), why)
	} else {
		t.said.Unnamed, _ = new(tool.Tests).Against(rep.Counts)
	}
	t.said.Counts = t.list.Counts()
	why = cmp.Or(why, m.panicked(t.list))
	switch {
	case rep.Doubt != "" && told:
		why = cmp.Or(why, rep.Doubt)
	case !rep.Complete:
		why = cmp.Or(rep.Doubt, "the output ends before the runner's closing line")
	case !told:
		why = cmp.Or(why, saidUnnamed(t.said.Unnamed), "the output names no more than the tests that failed")
	}
	t.said.Reason = cmp.Or(why, saidUnnamed(t.said.Unnamed))
	return t
}

// overcounted says that a runner which names passed tests counts more of them than it names: a test has printed a
// summary of its own, or rows were not read. It is "" otherwise.
func overcounted(rep *tool.Report) string {
	ts := rep.Tests
	if ts == nil || ts.Why() != "" || ts.AreShort() || ts.Passed() == 0 || rep.Counts["rerun"] > 0 { // only flaky tests may have rows
		return ""
	}
	unnamed, _ := ts.Against(rep.Counts)
	if all, rows := rep.Counts["passed"], rep.Counts["passed"]-unnamed["passed"]; 0 < rows && rows < all {
		return fmt.Sprintf("passed tests counted: %d, with a row: %d", all, rows)
	}
	return ""
}

// panicked says that something panicked which is no test of the list: a test of another library, inside one of the
// runner's. It is "" otherwise.
func (m *claim) panicked(list outcomes.List) string {
	for _, f := range m.report.Findings {
		own := f.Kind == result.Panic && f.ID != "" && (f.Source == "" || f.Source == m.parser.Tool)
		if own && len(list) > 0 && !slices.ContainsFunc(list, func(t outcomes.Test) bool { return t.ID == f.ID }) {
			return "no test of the list is what panicked: " + f.ID
		}
	}
	return ""
}

func isTest(f result.Finding) bool {
	_, is := outcomes.OfFinding(&f)
	return is
}

// saidUnnamed returns text such as "41 passed are counted, and not named".
func saidUnnamed(unnamed map[string]int) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(unnamed)) {
		all = append(all, fmt.Sprintf("%d %s", unnamed[key], key))
	}
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, ", ") + " (counted, and not named)"
}

// contradicted says how the list and the end of the run contradict each other; "" if they do not.
func contradicted(t tests, r *result.ToolResult, exit result.Exit) string {
	bad := t.said.Counts["failed"] + t.said.Counts["error"] + t.said.Unnamed["failed"] + t.said.Unnamed["error"]
	switch {
	case exit.TimedOut:
		return "the run was ended because its time was up"
	case exit.Signal != "":
		return "the run was ended by " + exit.Signal
	case !exit.Observed:
		return ""
	case exit.Code == 0 && bad > 0:
		return fmt.Sprintf("exit status 0, and %d tests did not pass", bad)
	case exit.Code != 0 && bad == 0 && !slices.ContainsFunc(r.Findings, saysNo):
		return fmt.Sprintf("exit status %d, and the output names no test that failed", exit.Code)
	}
	return ""
}
