package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/outcomes"
	"cairn/parsers/text/lex"
)

// List returns the tests in the order of lists, one entry per test.
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

// withoutSuites removes entries that are suites, not tests, once tests in them are known. A suite that failed
// although none of its tests did stays.
func (ts *Tests) withoutSuites(list outcomes.List) outcomes.List {
	kept := list[:0]
	for i := range list { // sorted: the tests of a suite follow it
		if t := list[i]; !t.Parent || !ts.whole[t.ID] || t.Outcome.Bad() && !failedIn(list[i+1:], t.ID) {
			kept = append(kept, t)
		}
	}
	return kept
}

// within separates the name of a suite from the names inside it.
const within = " › "

// failedIn reports whether a test of the suite failed; the suite's tests are at the beginning of list.
func failedIn(list outcomes.List, suite string) bool {
	for i := 0; i < len(list) && strings.HasPrefix(list[i].ID, suite); i++ {
		if list[i].Outcome.Bad() && strings.HasPrefix(list[i].ID[len(suite):], within) {
			return true
		}
	}
	return false
}

// JoinTests returns the tests of two outputs or reports of the same tool, which ran different tests. It changes
// neither argument.
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

// MergeTests combines what a text and a report say about the same tests; counts are the text's. The list has the
// report's ids, unless the text names all tests that it counts: the text's ids are those that the runner accepts. A
// test that either of them calls failed has failed.
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
	r.Tests.knowParts(other) // findings name these parts again
	for _, t := range other.told {
		if t.Outcome == Passed && other.find(t.ID).Outcome.Bad() {
			continue // it failed by its teardown
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

// refine changes a passed test to flaky or unexpectedly passed if the text says so: reports have no words for
// these.
func (ts *Tests) refine(t Test) {
	known := ts.find(t.ID)
	if known.Outcome == Passed && (t.Outcome == XPassed || t.Outcome == Flaky) {
		ts.counts[Passed]--
		ts.counts[t.Outcome]++
		known.Outcome = t.Outcome
	}
}

// Against compares the list with the runner's own counts. unnamed is how many tests of each outcome the runner
// counts but the list does not name; why says how the two contradict each other, "" if they do not.
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
	if told[XFailed] == 0 && told[Passed]+told[Flaky] == counted[Passed]+counted[Flaky]+counted[XFailed] { // expected failures may be listed as passed
		counted[Passed], counted[XFailed] = counted[Passed]+counted[XFailed], 0
	}
	if counted[XFailed] == 0 && told[Passed]+told[Flaky]+told[XFailed] <= counted[Passed] { // or counted as passed
		told[Passed], told[XFailed] = told[Passed]+told[XFailed], 0
	}
	if counted[Errored] == 0 && told[Failed]+told[Errored] <= counted[Failed] { // the runner counts errors as failures
		told[Failed], told[Errored] = told[Failed]+told[Errored], 0
	}
	if told[Failed] > counted[Failed] && told[Failed]+told[Errored] <= counted[Failed]+counted[Errored] { // or the list names errors as failures
		told[Failed], told[Errored] = counted[Failed], told[Errored]+told[Failed]-counted[Failed]
	}
	if told[NotRun] == 0 && told[Skipped] == counted[Skipped]+counted[NotRun] { // tests that did not run may be listed as skipped
		counted[Skipped], counted[NotRun] = told[Skipped], 0
	}
	if all := told[Passed] + told[Flaky]; all == counted[Passed] || counted[Flaky] == 0 && all < counted[Passed] { // flaky tests may be counted as passed
		counted[Passed], counted[Flaky] = counted[Passed]-told[Flaky], told[Flaky]
	}
	for _, o := range outcomes.All {
		switch more := counted[o] - told[o]; {
		case more > 0:
			lex.Put(&unnamed, string(o), more)
		case more < 0 && why == "":
			why = fmt.Sprintf("the runner counts %d %s, and %d are named", counted[o], o, told[o])
		}
	}
	return unnamed, why
}

// countedAs is the outcome that a key of the runner's counts stands for; "" for a key that counts something else.
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
