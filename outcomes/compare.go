package outcomes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Change is how the tests of two runs of one command differ. Each list is sorted by id.
type Change struct {
	Gone    List // ran before, and are not in the list now
	New     List // are in the list now only
	Moved   []Move
	Skipped List // ran before, and are skipped or not run now
	XFailed List // are expected to fail now, and were not before
	Passed  List // pass now, and did not before
}

// Move is a test that is gone (From) and a new test (To) that is probably the same one:
// see pair.
type Move struct{ From, To Test }

// Compare compares two sorted lists, both of which have to be complete. A parent is
// left out, since its subtests have entries of their own.
func Compare(before, now List) (c Change) {
	for i, j := 0, 0; i < len(before) || j < len(now); {
		switch {
		case j == len(now) || i < len(before) && less(&before[i], &now[j]):
			if before[i].Outcome.Ran() && !before[i].Parent {
				c.Gone = append(c.Gone, before[i])
			}
			i++
		case i == len(before) || less(&now[j], &before[i]):
			if !now[j].Parent {
				c.New = append(c.New, now[j])
			}
			j++
		default:
			c.changed(&before[i], &now[j])
			i, j = i+1, j+1
		}
	}
	c.sameButTime()
	c.pair()
	return c
}

// clocks matches parts of a test's parameters that change from run to run, mostly the time of the run: times, dates,
// long numbers, addresses, UUIDs.
var clocks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?|\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\b\d{10,}(\.\d+)?\b|\b0x[0-9a-f]{8,}\b|\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b`)
})

// sameButTime takes out of Gone and New the tests whose ids differ only in what clocks matches, if both runs have the
// same number of tests under such an id. A test that is skipped now, or expected to fail, stays in the list.
func (c *Change) sameButTime() {
	if len(c.Gone) == 0 || len(c.New) == 0 {
		return
	}
	key := func(n name) string { return n.file + n.suite + n.own + clocks().ReplaceAllString(n.params, "\x00") }
	counted := func(t Test) bool { return t.Outcome.Ran() && t.Outcome != XFailed }
	gone, fresh := by(c.Gone.only(counted), key), by(c.New.only(counted), key)
	is := func(t Test) bool {
		k := key(nameOf(t.ID))
		return counted(t) && strings.Contains(k, "\x00") && len(gone[k]) == len(fresh[k])
	}
	c.Gone, c.New = slices.DeleteFunc(c.Gone, is), slices.DeleteFunc(c.New, is)
}

// less orders tests by id and tool. Only a run of several tools names the tool of a test, so no tool is any tool.
func less(a, b *Test) bool {
	return a.ID < b.ID || a.ID == b.ID && a.Tool != "" && b.Tool != "" && a.Tool < b.Tool
}

func (c *Change) changed(was, is *Test) {
	switch {
	case was.Parent && is.Parent:
	case was.Outcome.Ran() && !is.Outcome.Ran():
		c.Skipped = append(c.Skipped, *is)
	case was.Outcome != XFailed && was.Outcome != XPassed && is.Outcome == XFailed:
		c.XFailed = append(c.XFailed, *is)
	case !was.passed() && is.passed():
		c.Passed = append(c.Passed, *is)
	}
}

func (t *Test) passed() bool { return t.Outcome == Passed || t.Outcome == Flaky }

// sameTest are keys that a gone test and a new one share if they are the same test, the surest
// first. A key that several gone tests share, or several new ones, proves nothing.
var sameTest = []func(id name) string{
	func(n name) string { return n.suite + n.own + n.params },           // the test moved to another file
	func(n name) string { return n.own + n.params },                     // the test moved to another suite, too
	func(n name) string { return n.file + n.suite + n.own },             // the test has other parameters
	func(n name) string { return n.file + n.suite + "\x00" + n.params }, // the test has another name
}

// pair takes out of Gone and New the tests that seem to have moved, or to have other parameters or another name.
func (c *Change) pair() {
	if len(c.Gone) == 0 || len(c.New) == 0 {
		return
	}
	for _, same := range sameTest {
		gone, fresh := by(c.Gone, same), by(c.New, same)
		paired := map[string]bool{}
		for key, from := range gone {
			if to := fresh[key]; len(from) == 1 && len(to) == 1 && strings.Trim(key, "\x00") != "" {
				c.Moved = append(c.Moved, Move{c.Gone[from[0]], c.New[to[0]]})
				paired[key] = true
			}
		}
		is := func(t Test) bool { return paired[same(nameOf(t.ID))] }
		c.Gone, c.New = slices.DeleteFunc(c.Gone, is), slices.DeleteFunc(c.New, is)
	}
	slices.SortFunc(c.Moved, func(a, b Move) int { return strings.Compare(a.From.ID, b.From.ID) })
}

// only is the tests of a list for which fits is true.
func (l List) only(fits func(Test) bool) (some List) {
	for _, t := range l {
		if fits(t) {
			some = append(some, t)
		}
	}
	return some
}

func by(l List, key func(name) string) map[string][]int {
	keys := map[string][]int{}
	for i := range l {
		k := key(nameOf(l[i].ID))
		keys[k] = append(keys[k], i)
	}
	return keys
}

// name is an id in its parts: the file, package or binary; the suites in that; the test's own name; and its parameters.
type name struct{ file, suite, own, params string }

func nameOf(id string) (n name) {
	if i := strings.IndexByte(id, '['); i > 0 && strings.HasSuffix(id, "]") {
		id, n.params = id[:i], id[i:]
	}
	for _, joint := range []string{"::", " › ", " > ", "#", "."} {
		last := strings.LastIndex(id, joint)
		if last < 0 {
			continue
		}
		last += len(joint)
		first := strings.Index(id, joint) + len(joint)
		n.file, n.suite, n.own = id[:first], id[first:last], id[last:]
		return n
	}
	n.own = id
	return n
}

// Outcome is the outcome of one test: the key under which the test is counted.
type Outcome string

// The outcomes of a list. Parsers also use Rerun and Todo, which Normal replaces.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Error   Outcome = "error"
	Skipped Outcome = "skipped"
	XFailed Outcome = "xfailed"
	XPassed Outcome = "xpassed"
	Flaky   Outcome = "flaky"
	NotRun  Outcome = "not_run"

	Rerun Outcome = "rerun" // the test failed and is run again
	Todo  Outcome = "todo"  // a test still to be written: skipped
)

// All are the outcomes that a list may hold, the worst first.
var All = []Outcome{Error, Failed, Flaky, XPassed, NotRun, Skipped, XFailed, Passed}

// Normal is the outcome that a list may hold: Todo becomes Skipped, and Rerun, of a
// test that was not run again after all, becomes Failed.
func (o Outcome) Normal() Outcome {
	switch o {
	case Todo:
		return Skipped
	case Rerun:
		return Failed
	}
	return o
}

// Bad says whether the test failed or could not be run because of an error.
func (o Outcome) Bad() bool { return o == Failed || o == Error }

// Ran says whether the test was run at all.
func (o Outcome) Ran() bool { return o != Skipped && o != NotRun }

// worst is the worse of two outcomes, in the order of All.
func worst(a, b Outcome) Outcome {
	if slices.Index(All, a.Normal()) <= slices.Index(All, b.Normal()) {
		return a.Normal()
	}
	return b.Normal()
}

// Tally counts the outcomes of several tests with one id, as a JSON object with the worst
// outcome first: {"failed":1,"passed":2}. It is empty if all have the same outcome.
type Tally string

// tally is how many tests the entry stands for, by outcome, in the order of All.
func (t *Test) tally() (n [8]int) {
	if t.Came == "" {
		n[slices.Index(All, t.Outcome.Normal())] = max(1, t.Times)
		return n
	}
	rest := strings.Trim(string(t.Came), "{}")
	for rest != "" {
		var one string
		one, rest, _ = strings.Cut(rest, ",")
		key, count, _ := strings.Cut(one, ":")
		if i := slices.Index(All, Outcome(strings.Trim(key, `"`))); i >= 0 {
			n[i], _ = strconv.Atoi(count)
		}
	}
	return n
}

// add counts the tests of another entry with the same id. The entry gets the worst outcome of all.
func (t *Test) add(o *Test) {
	if t.Came == "" && o.Came == "" && t.Outcome.Normal() == o.Outcome.Normal() {
		t.Times = max(1, t.Times) + max(1, o.Times)
		return
	}
	all, more := t.tally(), o.tally()
	t.Times = 0
	var parts []string
	for i := range all {
		if all[i] += more[i]; all[i] > 0 {
			t.Times += all[i]
			parts = append(parts, fmt.Sprintf("%q:%d", All[i], all[i]))
		}
	}
	t.Outcome = worst(t.Outcome, o.Outcome)
	t.Came = ""
	if len(parts) > 1 {
		t.Came = Tally("{" + strings.Join(parts, ",") + "}")
	}
}

// Verdicts is the list with an entry for every single test: an entry that stands for several tests is repeated.
func (l List) Verdicts() List {
	apart := make(List, 0, len(l))
	for i := range l {
		t := l[i]
		if t.Times < 2 {
			apart = append(apart, t)
			continue
		}
		n := t.tally()
		t.DurationMS /= int64(t.Times)
		t.Times, t.Came = 0, ""
		for k := range n {
			t.Outcome = All[k]
			apart = append(apart, slices.Repeat(List{t}, n[k])...)
		}
	}
	return apart
}

// text is the tally for people: "1 failed, 2 passed".
func (c Tally) text() string {
	var parts []string
	t := Test{Came: c}
	for i, n := range t.tally() {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, All[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// MarshalJSON writes the object.
func (c Tally) MarshalJSON() ([]byte, error) { return []byte(c), nil }

// UnmarshalJSON reads the object in any layout.
func (c *Tally) UnmarshalJSON(b []byte) error {
	var counts map[Outcome]int
	if err := json.Unmarshal(b, &counts); err != nil {
		return fmt.Errorf("reading how many tests came to what: %w", err)
	}
	*c = ""
	var all Test
	for _, o := range All {
		if n := counts[o]; n > 0 && all.Outcome == "" {
			all = Test{Outcome: o, Times: n}
		} else if n > 0 {
			all.add(&Test{Outcome: o, Times: n})
		}
	}
	*c = all.Came
	return nil
}

// Fewer compares the counts of two runs of one command, by the keys of a result's counts: how
// many tests the later run lacks, and how many more of its tests did not run.
func Fewer(was, is map[string]int) (gone, skipped int) {
	return max(0, Total(was)-Total(is)), max(0, LeftOut(is)-LeftOut(was))
}

// notTests are keys of a result's counts that count something other than tests.
var notTests = []string{"warning", "warnings", "info", "suites_failed", "deselected", "rerun", "total"}

// didNotRun are keys of a result's counts for tests that did not run, or whose outcome does not matter.
var didNotRun = []string{"skipped", "xfailed", "todo", "cancelled", "disabled", "ignored", "pending", "not_run", "did_not_run"}

// Total is how many tests a runner counts, or how many packages if it counts only packages.
func Total(counts map[string]int) (n int) {
	for key, count := range counts {
		if !slices.Contains(notTests, key) {
			n += count
		}
	}
	return n
}

// LeftOut is how many tests of a result's counts did not run.
func LeftOut(counts map[string]int) (n int) {
	for _, key := range didNotRun {
		n += counts[key]
	}
	return n
}
