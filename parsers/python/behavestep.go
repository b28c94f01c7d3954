package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// behaveHook is a function of environment.py that failed. The closing lists name the scenario that failed because of
// the hook, but do not mention a hook that ran around a feature or the whole run:
//
//	HOOK-ERROR in before_scenario: RuntimeError: no server
//	HOOK-ERROR in before_tag(tag=db): RuntimeError: no server
type behaveHook struct {
	line tool.Line
	why  string
	told bool // the finding of a scenario has the hook as its reason
}

// maxHooks bounds how many failed hooks of one run are remembered.
const maxHooks = 100

// hook takes a line of a failed hook. A hook that runs before a scenario prints above the scenario's head.
func (b *behaveRun) hook(l tool.Line, text string) bool {
	name, why, ok := strings.Cut(strings.TrimPrefix(text, "HOOK-ERROR in "), ": ")
	if !ok || len(name)+len(": ")+len(why) == len(text) || len(b.hooks) == maxHooks {
		return false
	}
	i := slices.IndexFunc(b.hooks, func(h *behaveHook) bool { return h.why == text }) // progress3 repeats the line
	if i < 0 {
		l.Text = ""
		i, b.hooks = len(b.hooks), append(b.hooks, &behaveHook{line: l, why: strings.Clone(text)})
	}
	h := b.hooks[i]
	switch {
	case strings.HasPrefix(name, "before_") && !strings.HasSuffix(name, "_step"):
		b.coming = h
	case b.now != nil && b.now.hook == nil:
		b.now.hook = h
	}
	return true
}

// reason returns a failed hook that no scenario's finding has yet, for a scenario that is listed without a reason;
// nil if there are no more such hooks.
func (b *behaveRun) reason() *behaveHook {
	i := slices.IndexFunc(b.hooks, func(h *behaveHook) bool { return !h.told && strings.Contains(h.why, "_scenario: ") })
	if i < 0 {
		return nil
	}
	return b.hooks[i]
}

// end adds a finding for each hook that failed outside of scenarios.
func (b *behaveRun) end(s *read.Sink) {
	for _, h := range b.hooks {
		if !h.told {
			s.Claim(1)
			s.Find(h.line, result.Finding{Kind: result.TestFailure, Severity: result.SevError, Message: h.why})
		}
	}
}

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
	came := read.Outcome(lex.Means(e.Status, "passed: passed; failed: failed, undefined, pending; error: error, hook_error, cleanup_error; skipped: skipped"))
	if came == "" {
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
