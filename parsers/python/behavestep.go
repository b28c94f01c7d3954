package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// behaveStep reads a step of the last scenario. The formatter plain prints each step's outcome. In
// pretty's output, a scenario whose first step has no place ("# None") was skipped:
//
//	Given a kettle ... passed in 0.000s
//	Given a kettle  # features/steps/steps.py:2
//	Given a kettle  # None
func (b *behaveRun) behaveStep(line, text string) {
	t := b.tests.Last(line)
	if t == nil {
		return
	}
	first := !b.stepped
	b.stepped = true
	_, said, ok := strings.Cut(text, " ... ")
	if !ok {
		if first && strings.HasSuffix(text, "# None") {
			t.Outcome = tool.Skipped
		}
		return
	}
	said, took, _ := strings.Cut(said, " in ")
	ms, timed := lex.Millis(took)
	if t.DurationMS += ms; !timed {
		return
	}
	came := read.Outcome(said)
	if said == "undefined" || said == "pending" {
		came = tool.Failed
	}
	if t.Outcome == "" || t.Outcome == tool.Passed {
		t.Outcome = came
	}
}

// document takes a scenario, with its outcome and duration, from the formatter json.
func (b *behaveRun) document(e *behaveElement) {
	var came read.Outcome
	switch e.Status {
	case "passed", "failed", "error", "skipped":
		came = read.Outcome(e.Status)
	case "undefined", "pending":
		came = tool.Failed
	case "hook_error", "cleanup_error":
		came = tool.Errored
	default:
		return
	}
	seconds := 0.0
	for _, step := range e.Steps {
		if step.Result != nil {
			seconds += step.Result.Duration
		}
	}
	b.tests.Shown("  ", "", strings.TrimRight(e.Name, " "), e.Location) // the name of an outline may end in blanks
	if t := b.tests.Last("    "); t != nil {
		t.Outcome, t.DurationMS = came, lex.OfSeconds(seconds)
	}
}
