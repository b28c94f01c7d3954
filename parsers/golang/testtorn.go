package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/tool"
)

// tornStack is the rest of the stacks of a test binary that died, where the output begins within them, as it does
// behind "| tail -20". What the process said first is gone; which test it was and where still stands in the stacks. A
// stack that a test printed looks alike: it counts only where nothing of package testing comes before the trailer that
// says FAIL.
type tornStack struct {
	trace *goTrace
	past  bool // something else came
}

// tornMessage stands for what is cut off.
const tornMessage = "the test binary died, and what it said first is cut off"

// line takes a line of the stacks. The first other line hands them over.
func (t *tornStack) line(s *goSection, l tool.Line) bool {
	if t.past {
		return false
	}
	if isStackLine(l.Text) {
		if t.trace == nil {
			t.trace = newGoTrace(tornMessage)
			t.trace.goroutines = []goroutine{{}}
		}
		t.trace.line(strings.Clone(l.Text))
		s.run.touch(&s.span)
		s.run.report.Cover(l)
		return true
	}
	t.past = true
	if t.trace != nil && t.trace.placed() {
		s.seen, s.trace, s.traceOn = true, t.trace, l.Stream
	}
	return false
}

// isStackLine: a call, its place, the head of a goroutine, or what is between and below them.
func isStackLine(s string) bool {
	switch {
	case s == "", strings.HasPrefix(s, "created by "), strings.HasPrefix(s, "[signal "):
		return true
	case strings.HasPrefix(s, "goroutine "):
		return strings.HasSuffix(s, "]:")
	case s[0] == '\t':
		at, ok := frame.Go(s)
		return ok && strings.HasSuffix(at.Path, ".go")
	}
	if fields := strings.Fields(s); len(fields) == 2 && strings.HasPrefix(fields[1], "0x") {
		return true // a register
	}
	i := goArgs(s)
	return i > 0 && s[len(s)-1] == ')' && strings.IndexByte(s[:i], ' ') < 0 && strings.IndexByte(s[:i], '.') > 0
}

// placed: a call and its place were there.
func (t *goTrace) placed() bool {
	return slices.ContainsFunc(t.goroutines, func(g goroutine) bool { return len(g.frames) > 0 })
}

// nestedSame: a fuzz target reports itself once more inside its own report.
func (r *goText) nestedSame(rep goReport) bool {
	n := len(r.stack)
	return n > 0 && r.stack[n-1].name == rep.name && rep.indent > r.stack[n-1].indent
}

// joinedParent: the report of a subtest, below that of a test which began above the cut.
func (r *goText) joinedParent(rep goReport) bool {
	if r.section.announced || len(r.run.pkgs) > 0 || len(r.stack) == 0 || rep.indent == 0 {
		return false
	}
	return strings.HasPrefix(rep.name, r.stack[0].name+"/") && r.section.tests[rep.name] == nil
}
