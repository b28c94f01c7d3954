package outcomes

import "slices"

// Outcome is what one test came to: the key under which it is counted.
type Outcome string

// The outcomes of a list. Rerun and Todo are words of readers, see Normal.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Error   Outcome = "error"
	Skipped Outcome = "skipped"
	XFailed Outcome = "xfailed"
	XPassed Outcome = "xpassed"
	Flaky   Outcome = "flaky"
	NotRun  Outcome = "not_run"

	Rerun Outcome = "rerun" // it failed, and is run again
	Todo  Outcome = "todo"  // still to be written: skipped
)

// All are the outcomes that a list may hold, the worst first.
var All = []Outcome{Error, Failed, Flaky, XPassed, NotRun, Skipped, XFailed, Passed}

// Normal is the outcome as a list has it: what is to be done was skipped, and what was to
// be run again, and was not, failed.
func (o Outcome) Normal() Outcome {
	switch o {
	case Todo:
		return Skipped
	case Rerun:
		return Failed
	}
	return o
}

// Bad says that the test did not do what it should.
func (o Outcome) Bad() bool { return o == Failed || o == Error }

// Ran says that the test was run at all.
func (o Outcome) Ran() bool { return o != Skipped && o != NotRun }

// worst is the one of two outcomes that an entry for both has.
func worst(a, b Outcome) Outcome {
	if slices.Index(All, a.Normal()) <= slices.Index(All, b.Normal()) {
		return a.Normal()
	}
	return b.Normal()
}
