package outcomes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
