package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// behaveHook is a function of environment.py that failed. The lists at the end name the scenario that fails for
// it, and nothing where it ran before or after a feature or all of them:
//
//	HOOK-ERROR in before_scenario: RuntimeError: no server
//	HOOK-ERROR in before_tag(tag=db): RuntimeError: no server
type behaveHook struct {
	line tool.Line
	why  string
	told bool // by the scenario that failed
}

// maxHooks bounds how many failed hooks of one run are remembered.
const maxHooks = 100

// hook takes a line of a failed hook. One that runs before a scenario prints above its head.
func (b *behaveRun) hook(l tool.Line, text string) bool {
	name, why, ok := strings.Cut(strings.TrimPrefix(text, "HOOK-ERROR in "), ": ")
	if !ok || len(name)+len(": ")+len(why) == len(text) || len(b.hooks) == maxHooks {
		return false
	}
	i := slices.IndexFunc(b.hooks, func(h *behaveHook) bool { return h.why == text }) // progress3 prints it again
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

// reason of a scenario that the list names without one: a hook that no other scenario told.
func (b *behaveRun) reason() *behaveHook {
	i := slices.IndexFunc(b.hooks, func(h *behaveHook) bool { return !h.told && strings.Contains(h.why, "_scenario: ") })
	if i < 0 {
		return nil
	}
	return b.hooks[i]
}

// end tells the hooks that failed outside of scenarios.
func (b *behaveRun) end(s *read.Sink) {
	for _, h := range b.hooks {
		if !h.told {
			s.Claim(1)
			s.Find(h.line, result.Finding{Kind: result.TestFailure, Severity: result.SevError, Message: h.why})
		}
	}
}
