package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/outcomes"
)

// List is what was told, in the order of lists: one entry a test.
func (ts *Tests) List() outcomes.List {
	list := outcomes.List(slices.Clone(ts.told))
	list.Sort()
	n := 0
	for i := range list {
		if n > 0 && list[n-1].ID == list[i].ID {
			list[n-1].Join(list[i])
			continue
		}
		list[n] = list[i]
		n++
	}
	list = ts.withoutSuites(list[:n])
	for i := range list {
		list[i].Outcome = list[i].Outcome.Normal()
		if list[i].Times < 2 {
			list[i].Times = 0
		}
	}
	return list
}

// withoutSuites leaves out what is no test and was told since tests are in it: a suite, unless it failed by itself.
func (ts *Tests) withoutSuites(list outcomes.List) outcomes.List {
	kept := list[:0]
	for i := range list { // sorted, so that what is in a suite follows it
		if t := list[i]; !t.Parent || !ts.whole[t.ID] || t.Outcome.Bad() && !failedIn(list[i+1:], t.ID) {
			kept = append(kept, t)
		}
	}
	return kept
}

// within stands between the name of a suite and those in it.
const within = " › "

// failedIn says whether a test of a suite failed, of which all stand at the beginning of a list.
func failedIn(list outcomes.List, suite string) bool {
	for i := 0; i < len(list) && strings.HasPrefix(list[i].ID, suite); i++ {
		if list[i].Outcome.Bad() && strings.HasPrefix(list[i].ID[len(suite):], within) {
			return true
		}
	}
	return false
}

// JoinTests adds the tests of a further output or report of the same tool, which ran other
// tests. It changes neither of both.
func JoinTests(a, b *Tests) *Tests {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	var r Report
	ts := r.tests()
	for _, o := range [...]*Tests{a, b} {
		ts.told = append(ts.told, o.told...)
		ts.size += o.size
		for outcome, n := range o.counts {
			ts.counts[outcome] += n
		}
		ts.knowParts(o)
		for id := range o.whole {
			r.NoTest(id)
		}
		for also, id := range o.also {
			ts.Also(id, also)
		}
		ts.beyond += o.beyond
		ts.clash, ts.unread = cmp.Or(ts.clash, o.clash), cmp.Or(ts.unread, o.unread)
	}
	return ts
}

// knowParts adds the parts of tests that another list has counted.
func (ts *Tests) knowParts(o *Tests) {
	if ts.parts == nil {
		ts.parts = map[string]bool{}
	}
	maps.Copy(ts.parts, o.parts)
}

// MergeTests brings together what a text and a report say of the same tests; counts are
// the text's. The report names them, unless the text names all that it counts: its ids are
// those that the runner takes. Where one of them calls a test failed, it failed.
func MergeTests(text, report *Tests, counts map[string]int) *Tests {
	if text == nil || report == nil {
		return cmp.Or(report, text)
	}
	unnamed, why := text.Against(counts)
	main, other := report, text
	if why == "" && len(unnamed) == 0 && text.Why() == "" && !text.short {
		main, other = text, report
	}
	r := Report{Tests: JoinTests(main, new(Tests))}
	for id := range other.whole {
		r.NoTest(id)
	}
	r.Tests.knowParts(other) // which findings name again
	for _, t := range other.told {
		if t.Outcome == Passed && other.find(t.ID).Outcome.Bad() {
			continue // by its teardown
		}
		if t.ID = cmp.Or(r.Tests.also[t.ID], t.ID); r.Knows(t.ID) {
			r.Retold(t)
			r.Tests.refine(t)
		} else if t.Outcome.Bad() && main.counts[Failed]+main.counts[Errored] == 0 {
			r.Retold(t)
			r.Tests.clash = cmp.Or(r.Tests.clash, t.ID+" "+string(t.Outcome)+", and not in the report")
		}
	}
	return r.Tests
}

// refine makes of a test that passed what the text calls it, and a report has no word for.
func (ts *Tests) refine(t Test) {
	known := ts.find(t.ID)
	if known.Outcome == Passed && (t.Outcome == XPassed || t.Outcome == Flaky) {
		ts.counts[Passed]--
		ts.counts[t.Outcome]++
		known.Outcome = t.Outcome
	}
}

// Against holds the list against the runner's own counts: how many tests these count that
// the list does not name, and how the two contradict each other.
func (ts *Tests) Against(counts map[string]int) (unnamed map[string]int, why string) {
	counted := map[outcomes.Outcome]int{}
	known := false
	for key, n := range counts {
		if o := countedAs(key); o != "" {
			counted[o] += n
			known = true
		}
	}
	if !known {
		return nil, ""
	}
	told := map[outcomes.Outcome]int{}
	for o, n := range ts.counts {
		told[o.Normal()] += n
	}
	if told[XFailed] == 0 && told[Passed]+told[Flaky] == counted[Passed]+counted[Flaky]+counted[XFailed] { // one that failed as it should may be listed as passed
		counted[Passed], counted[XFailed] = counted[Passed]+counted[XFailed], 0
	}
	if counted[XFailed] == 0 && told[Passed]+told[Flaky]+told[XFailed] <= counted[Passed] { // or it counts it as one that passed
		told[Passed], told[XFailed] = told[Passed]+told[XFailed], 0
	}
	if counted[Errored] == 0 && told[Failed]+told[Errored] <= counted[Failed] { // it counts an error as a failure
		told[Failed], told[Errored] = told[Failed]+told[Errored], 0
	}
	if told[Failed] > counted[Failed] && told[Failed]+told[Errored] <= counted[Failed]+counted[Errored] { // or it names an error as a failure
		told[Failed], told[Errored] = counted[Failed], told[Errored]+told[Failed]-counted[Failed]
	}
	if told[NotRun] == 0 && told[Skipped] == counted[Skipped]+counted[NotRun] { // what did not run may be listed as skipped
		counted[Skipped], counted[NotRun] = told[Skipped], 0
	}
	if all := told[Passed] + told[Flaky]; all == counted[Passed] || counted[Flaky] == 0 && all < counted[Passed] { // a flaky test is counted as one that passed
		counted[Passed], counted[Flaky] = counted[Passed]-told[Flaky], told[Flaky]
	}
	for _, o := range outcomes.All {
		switch more := counted[o] - told[o]; {
		case more > 0:
			if unnamed == nil {
				unnamed = map[string]int{}
			}
			unnamed[string(o)] = more
		case more < 0 && why == "":
			why = fmt.Sprintf("the runner counts %d %s, and %d are named", counted[o], o, told[o])
		}
	}
	return unnamed, why
}

// countedAs is the outcome that a runner's count is of; "" for a count of something else.
func countedAs(key string) outcomes.Outcome {
	switch key {
	case "todo", "pending", "ignored", "disabled", "incomplete":
		return Skipped
	case "risky":
		return Passed
	case "did_not_run":
		return NotRun
	case "passed", "failed", "error", "skipped", "xfailed", "xpassed", "flaky", "not_run":
		return outcomes.Outcome(key)
	}
	return ""
}
