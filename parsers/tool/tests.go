package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"cairn/outcomes"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Test is one test's outcome as a reader reports it: see Report.Ran.
type Test = outcomes.Test

// The outcomes of a test; see package outcomes.
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
	// maxTestBytes bounds the ids and places of these tests, in bytes.
	maxTestBytes = 128 << 20
	// maxTestID bounds one id, in bytes; a longer text is not an id.
	maxTestID = 16 << 10
)

// Tests are the outcomes that a reader reported, in its order. Most outputs report each test once, so an index is
// made only when it is needed.
type Tests struct {
	told   []Test                   // an id may occur several times: see List
	counts map[outcomes.Outcome]int // how many tests were reported, by outcome
	beyond int                      // how many tests were reported but not kept
	agreed bool                     // counts are the runner's own: see Agree

	text   []byte            // the memory block that holds the latest ids
	size   int               // bytes of all ids and places
	at     map[string]int32  // index in told, by the test's id; nil until it is needed
	parts  map[string]bool   // ids of parts that failed: see Part
	also   map[string]string // ids by which findings name a test, with the test's own id
	whole  map[string]bool   // ids of files or suites, which are no tests
	clash  string            // a test about which two accounts differ
	short  bool              // see Short
	unread string            // why the list does not name all tests, in the reader's words
}

// Ran reports the outcome of one test; call it once for each verdict that the runner prints. The texts may be lent:
// they are copied. A second call with the same id counts as another test of that name, unless the first said Rerun
// or the second is an error in the test's teardown.
func (r *Report) Ran(t Test) {
	ts := r.tests()
	if t.Outcome != Rerun && !t.Parent {
		ts.counts[t.Outcome]++
	}
	ts.keep(t)
}

// Retold reports a test again that another part of the output has reported, such as a list at its end. It adds what
// is missing: the test itself, its duration, its place. The worse of the two outcomes is kept.
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

// toldNear reports whether the same outcome of the test was reported just before the current one, as for a test
// that passed and whose teardown failed.
func (ts *Tests) toldNear(t Test) bool {
	at := int(ts.at[t.ID])
	return slices.ContainsFunc(ts.told[max(0, at-64):at], func(o Test) bool { return o.ID == t.ID && o.Outcome == t.Outcome })
}

// Found adds the finding of a failed test. Unlike Retold, it is no second account of the test.
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
	if known.Parent { // it failed by itself, not because of its subtests
		if known.Parent = false; !ts.agreed {
			ts.counts[known.Outcome]++
		}
	}
	was := known.Outcome
	if known.Fill(t); was == XPassed && t.Outcome == Failed {
		known.Outcome = was // the subtest is what failed
	}
}

// Part adds a part of a test that has no id of its own, and that its runner counts as a test if it failed. The test
// then counts as failed, whatever its verdict. A repeated part is ignored.
func (r *Report) Part(of, part string, came outcomes.Outcome) {
	ts := r.tests()
	if !came.Bad() || ts.parts[part] || len(ts.parts) >= r.Most() {
		return
	}
	lex.Put(&ts.parts, strings.Clone(part), true)
	ts.counts[came]++
	if known := ts.find(of); known == nil {
		ts.keep(Test{ID: of, Outcome: came, Times: outcomes.OfPart})
	} else if !known.Outcome.Bad() {
		known.Outcome = came
	}
}

// Agree says that the reported tests are those that the runner counts, although the runner counts suites or parent
// tests in another way. The reader calls it after comparing them with a total of the runner's.
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

// Forgive makes what failed flaky: the command ran again, and succeeded in the end.
func (r *Report) Forgive() {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == result.SevFailure || f.Severity == result.SevError {
			f.Severity, f.Tags = result.SevWarning, append(slices.Clip(f.Tags), string(Flaky))
		}
	}
	if n := r.Counts["failed"] + r.Counts["error"]; n > 0 {
		r.Counts["flaky"] += n
		delete(r.Counts, "failed")
		delete(r.Counts, "error")
	}
	r.Claimed = -1
	for i := 0; r.Tests != nil && i < len(r.Tests.told); i++ {
		if t := &r.Tests.told[i]; t.Outcome.Bad() {
			r.Tests.counts[t.Outcome]--
			r.Tests.counts[Flaky]++
			t.Outcome = Flaky
		}
	}
}

// Knows reports whether a test with that id was reported.
func (r *Report) Knows(id string) bool { return r.Tests != nil && r.Tests.find(id) != nil }

// Unread says that the output does not name all tests, and why: "the output names only the tests that failed". The
// first reason is kept.
func (r *Report) Unread(why string) {
	ts := r.tests()
	ts.unread = cmp.Or(ts.unread, why)
}

// NoTest says that this id, of a finding or of an entry reported as Parent, is a file or a suite, not a test.
func (r *Report) NoTest(id string) {
	ts := r.tests()
	lex.Put(&ts.whole, strings.Clone(id), true)
}

// Also says that findings may call the test id by the other id also.
func (ts *Tests) Also(id, also string) {
	if ts == nil || id == also {
		return
	}
	lex.Put(&ts.also, also, id)
}

// Short says that the output names tests without their package, while a report names them in full.
func (ts *Tests) Short() { ts.short = true }

// AreShort reports whether Short was called.
func (ts *Tests) AreShort() bool { return ts != nil && ts.short }

// Passed is how many tests were reported as plainly passed.
func (ts *Tests) Passed() int { return ts.counts[Passed] }

// Withdraw removes the tests of outcome o if fewer than bad tests are listed as failed: one of those removed should
// have failed and passed, and the output does not say which.
func (ts *Tests) Withdraw(o outcomes.Outcome, bad int) {
	if ts == nil || ts.counts[Failed]+ts.counts[Errored]+ts.counts[XFailed] >= bad {
		return
	}
	ts.told = slices.DeleteFunc(ts.told, func(t Test) bool { return t.Outcome == o })
	ts.at, ts.counts[o] = nil, 0
}

// Why says why the list is incomplete or contradicts itself; "" if neither is known.
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

// find returns the first failed test with that id, or else the first test with it; nil without one.
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

// keep appends a copy of a test, or counts it if the list is full.
func (ts *Tests) keep(t Test) {
	size := len(t.ID) + len(t.At)
	if ts.size += size; t.ID == "" || len(t.ID) > maxTestID || len(ts.told) >= MaxTests || ts.size > maxTestBytes {
		ts.beyond++
		return
	}
	t.ID, t.At = ts.copied(t.ID), ts.copied(t.At)
	if n := len(ts.told); n == cap(ts.told) {
		ts.told = slices.Grow(ts.told, max(n, 16)) // append would grow a long list by a quarter each time, and copy it five times
	}
	ts.told = append(ts.told, t)
	if ts.at != nil {
		ts.index(len(ts.told) - 1)
	}
}

// textBlock is how many bytes are allocated for ids at once.
const textBlock = 32 << 10

// copied returns a copy of a string, in memory that many strings share.
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

// lent returns bytes that do not change any more as a string, without copying.
func lent(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
