package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/tool"
)

// tornStack reads the stacks of a test binary that died, if the output begins within them, as with "| tail -20". The
// panic's message is cut off, but the stacks still show the test and its place. A stack printed by a test looks the
// same, so the stacks count only if no line of package testing comes between them and the trailer that says FAIL.
type tornStack struct {
	trace *goTrace
	past  bool // another line came
}

// tornMessage replaces the message that is cut off.
const tornMessage = "the test binary died, and what it said first is cut off"

// line takes a line of the stacks. At the first other line, the stacks are given to the section.
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

// isStackLine says whether a line can be part of stacks: a call, its place, a goroutine's header, or a line between
// them.
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

// placed says whether at least one call with its place was read.
func (t *goTrace) placed() bool {
	return slices.ContainsFunc(t.goroutines, func(g goroutine) bool { return len(g.frames) > 0 })
}

// nestedSame says whether a fuzz target reports itself again inside its own report.
func (r *goText) nestedSame(rep goReport) bool {
	n := len(r.stack)
	return n > 0 && r.stack[n-1].name == rep.name && rep.indent > r.stack[n-1].indent
}

// joinedParent says whether a report is a subtest's, below that of a test whose beginning is cut off.
func (r *goText) joinedParent(rep goReport) bool {
	if r.section.announced || len(r.run.pkgs) > 0 || len(r.stack) == 0 || rep.indent == 0 {
		return false
	}
	return strings.HasPrefix(rep.name, r.stack[0].name+"/") && r.section.tests[rep.name] == nil
}
