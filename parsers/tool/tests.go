package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"cairn/outcomes"
)

// Test is one test as a reader tells it: see Report.Ran.
type Test = outcomes.Test

// What a test came to; see package outcomes.
const (
	Passed  = outcomes.Passed
	Failed  = outcomes.Failed
	Errored = outcomes.Error
	Skipped = outcomes.Skipped
	Todo    = outcomes.Todo
	XFailed = outcomes.XFailed
	XPassed = outcomes.XPassed
	Flaky   = outcomes.Flaky
	NotRun  = outcomes.NotRun
	Rerun   = outcomes.Rerun
)

const (
	// MaxTests bounds the tests of one output whose names are kept.
	MaxTests = 1_000_000
	// maxTestBytes bounds the names and places that are kept of them.
	maxTestBytes = 128 << 20
	// maxTestID bounds one name. A longer one is no name.
	maxTestID = 16 << 10
)

// Tests are the outcomes that a reader told, in the order in which it did. Most outputs tell
// each test once and nothing more of it, so an index is made only where something asks.
type Tests struct {
	told   []Test                   // an id may be there several times: see List
	counts map[outcomes.Outcome]int // how many were told, as the runner counts them
	beyond int                      // so many more were told than are kept
	agreed bool                     // counts are the runner's: see Agree

	text   []byte            // the end of what ids are kept in
	size   int               // of all ids and places
	at     map[string]int32  // where a test stands in told; nil until it is needed
	parts  map[string]bool   // of tests that failed
	also   map[string]string // an id by which a finding names a test, and its own
	whole  map[string]bool   // ids of what is no test: a file of tests, a suite
	clash  string            // a test about which two accounts differ
	short  bool              // see Short
	unread string            // why the list does not name all tests, in the reader's words
}

// Ran tells what one test came to: once for each verdict that the runner gives. The texts
// may be lent. The same test a second time is a second test of that name, unless it was to
// be run again (Rerun) or the second verdict is of its teardown (an error).
func (r *Report) Ran(t Test) {
	ts := r.tests()
	if t.Outcome != Rerun && !t.Parent {
		ts.counts[t.Outcome]++
	}
	ts.keep(t)
}

// Retold adds an account of a test that another part of the output has told, as a list at its end
// does. It adds what is not known of the test: a test that was not told yet, the
// duration, the place. Where it is the worse outcome, it holds.
func (r *Report) Retold(t Test) {
	ts := r.tests()
	known := ts.find(t.ID)
	if known == nil {
		r.Ran(t)
		return
	}
	if was := known.Outcome; known.Fill(t) && ts.clash == "" && !ts.toldNear(t) {
		ts.clash = fmt.Sprintf("%s %s, and %s", known.ID, was, t.Outcome)
	}
}

// toldNear says whether this account was given before the one that holds, as that of a test that passed and
// whose teardown failed.
func (ts *Tests) toldNear(t Test) bool {
	at := int(ts.at[t.ID])
	return slices.ContainsFunc(ts.told[max(0, at-64):at], func(o Test) bool { return o.ID == t.ID && o.Outcome == t.Outcome })
}

// Found adds the finding of a test that failed. Unlike with Retold, that is no second
// account of the test.
func (r *Report) Found(t Test) {
	ts := r.tests()
	if ts.whole[t.ID] {
		return
	}
	t.ID = cmp.Or(ts.also[t.ID], t.ID)
	known := ts.find(t.ID)
	if known == nil {
		r.Ran(t)
		return
	}
	if known.Parent { // and not because of its subtests
		if known.Parent = false; !ts.agreed {
			ts.counts[known.Outcome]++
		}
	}
	was := known.Outcome
	if known.Fill(t); was == XPassed && t.Outcome == Failed {
		known.Outcome = was // which is what failed
	}
}

// Part adds a part of a test that has no id of its own, and that its runner counts as a
// test where it failed. Then the test failed, whatever verdict it has. It may come again.
func (r *Report) Part(of, part string, came outcomes.Outcome) {
	ts := r.tests()
	if !came.Bad() || ts.parts[part] || len(ts.parts) >= r.Most() {
		return
	}
	if ts.parts == nil {
		ts.parts = map[string]bool{}
	}
	ts.parts[strings.Clone(part)] = true
	ts.counts[came]++
	if known := ts.find(of); known == nil {
		ts.keep(Test{ID: of, Outcome: came, Times: outcomes.OfPart})
	} else if !known.Outcome.Bad() {
		known.Outcome = came
	}
}

// Agree says that the tests that were told are those that the runner counts, though it counts
// suites or parents otherwise than they were told. The reader has held them against a
// total of the runner's.
func (r *Report) Agree() {
	ts := r.tests()
	clear(ts.counts)
	ts.agreed = true
	for key, n := range r.Counts {
		if o := countedAs(key); o != "" {
			ts.counts[o] += n
		}
	}
}

// Knows says whether a test of that id was told.
func (r *Report) Knows(id string) bool { return r.Tests != nil && r.Tests.find(id) != nil }

// Unread says that the output does not name all tests, and why: "the output names only the
// tests that failed". The first reason holds.
func (r *Report) Unread(why string) {
	ts := r.tests()
	ts.unread = cmp.Or(ts.unread, why)
}

// NoTest says that what has that id, a finding or what was told as Parent, is a file or a suite and no test.
func (r *Report) NoTest(id string) {
	ts := r.tests()
	if ts.whole == nil {
		ts.whole = map[string]bool{}
	}
	ts.whole[strings.Clone(id)] = true
}

// Also says that a finding has the id also of the test of that id.
func (ts *Tests) Also(id, also string) {
	if ts == nil || id == also {
		return
	}
	if ts.also == nil {
		ts.also = map[string]string{}
	}
	ts.also[also] = id
}

// Short says that the output names tests without their package. A report names them in full.
func (ts *Tests) Short() { ts.short = true }

// AreShort says that Short was said of the tests.
func (ts *Tests) AreShort() bool { return ts != nil && ts.short }

// Passed is how many tests are told as passed, and no more than that.
func (ts *Tests) Passed() int { return ts.counts[Passed] }

// Withdraw takes back the tests that came to o, where the list names fewer than bad that failed:
// a test that should have failed and passed is among them, and nothing says which it is.
func (ts *Tests) Withdraw(o outcomes.Outcome, bad int) {
	if ts == nil || ts.counts[Failed]+ts.counts[Errored]+ts.counts[XFailed] >= bad {
		return
	}
	ts.told = slices.DeleteFunc(ts.told, func(t Test) bool { return t.Outcome == o })
	ts.at, ts.counts[o] = nil, 0
}

// Why is what a reader says of a list that is not whole, or does not agree with itself;
// "" where there is nothing to say.
func (ts *Tests) Why() string {
	switch {
	case ts.clash != "":
		return "two accounts of one test: " + ts.clash
	case ts.beyond > 0:
		return "there are more tests than are kept"
	}
	return ts.unread
}

func (r *Report) tests() *Tests {
	if r.Tests == nil {
		r.Tests = &Tests{counts: map[outcomes.Outcome]int{}}
	}
	return r.Tests
}

// find is the test of that id that was told first, or that failed first, if one did; nil if no
// test has it.
func (ts *Tests) find(id string) *Test {
	if ts.at == nil {
		ts.at = make(map[string]int32, len(ts.told))
		for i := range ts.told {
			ts.index(i)
		}
	}
	if i, known := ts.at[id]; known {
		return &ts.told[i]
	}
	return nil
}

func (ts *Tests) index(i int) {
	if was, known := ts.at[ts.told[i].ID]; !known || ts.told[i].Outcome.Bad() && !ts.told[was].Outcome.Bad() {
		ts.at[ts.told[i].ID] = int32(i)
	}
}

// keep adds a copy of a test.
func (ts *Tests) keep(t Test) {
	size := len(t.ID) + len(t.At)
	if ts.size += size; t.ID == "" || len(t.ID) > maxTestID || len(ts.told) >= MaxTests || ts.size > maxTestBytes {
		ts.beyond++
		return
	}
	t.ID, t.At = ts.copied(t.ID), ts.copied(t.At)
	if n := len(ts.told); n == cap(ts.told) {
		ts.told = slices.Grow(ts.told, max(n, 16)) // append grows a long list by a quarter, and copies it five times
	}
	ts.told = append(ts.told, t)
	if ts.at != nil {
		ts.index(len(ts.told) - 1)
	}
}

// textBlock is how much memory is taken for ids at once.
const textBlock = 32 << 10

// copied is a copy of a string, in memory that many strings share.
func (ts *Tests) copied(s string) string {
	if s == "" {
		return ""
	}
	if len(s) > textBlock/4 {
		return strings.Clone(s)
	}
	if cap(ts.text)-len(ts.text) < len(s) {
		ts.text = make([]byte, 0, textBlock)
	}
	from := len(ts.text)
	ts.text = append(ts.text, s...)
	return lent(ts.text[from:])
}

// lent is bytes as a string that shares their memory. Nothing changes them any more.
func lent(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
