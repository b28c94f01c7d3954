package outcomes

import "slices"

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
