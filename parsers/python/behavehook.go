package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
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
