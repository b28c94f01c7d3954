package engine

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"

	"cairn/parsers/internal/shell"
	"cairn/parsers/internal/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// troubles are lines in which a shell or a runner says that a command of it
// failed. On a failing exit they are in the text that is shown; on exit 0
// somebody chose to ignore them ("-" of make, "|| true"), and the reader of a
// success has to know.
type troubles []result.Span

// maxSwallowed bounds what is kept: one is enough to be told of all.
const maxSwallowed = 64

func (t *troubles) see(l *term.RawLine) {
	if l.Alarm < 0 || len(*t) >= maxSwallowed {
		return
	}
	text := l.Text[:min(len(l.Text), 4*maxPrefix)]
	if shell.IsTrouble(unsafe.String(unsafe.SliceData(text), len(text))) { // lent: nothing of it is kept
		*t = append(*t, result.Span{Start: l.Start, End: l.End})
	}
}

// isChatter says of a line, whatever prefix it has, that it only stands around a
// failure that is told elsewhere.
func isChatter(line []byte) bool {
	if _, n := cutTask(line); n > 0 {
		line = line[n:]
	}
	return shell.IsChatter(bytes.TrimSpace(line))
}

// stoppedBefore is the shell that says last that it could not do what the command
// line begins with ("cd nosuchdir && …"), so that the tool never ran; else "".
func (s *Session) stoppedBefore(exit result.Exit) string {
	if len(s.command.Prelude) == 0 || !failing(exit) || s.stats.binary {
		return ""
	}
	parts := strings.Split(strings.TrimSpace(s.lastLine().text), ":")
	if len(parts) < 3 || !shell.IsShellName(parts[0]+": ") {
		return ""
	}
	for _, part := range parts[1:] {
		if slices.Contains(s.command.Prelude, strings.TrimSpace(part)) {
			return shell.Named(parts[:1])[0]
		}
	}
	return ""
}

// tellExit says, of exit code 0, what it does not mean: that a linter was
// content whose errors are there, or that a command did not fail which a runner
// says did.
func (s *Session) tellExit(r *result.ToolResult, parts []*claim, exit result.Exit) {
	if failing(exit) || s.direct() != nil || len(parts) == 0 {
		return
	}
	if slices.ContainsFunc(r.Findings, saysNo) {
		if r.Status == result.OK {
			r.Extra = tool.WithExtra(r.Extra, "exit_of", s.command.ExitOf())
		}
		return
	}
	ignored := func(at result.Span) bool { return !coveredBy(parts, term.RawLine{Start: at.Start, End: at.End}) }
	if s.rest == nil && !slices.ContainsFunc(s.trouble, ignored) || len(s.trouble) == 0 {
		return
	}
	r.ParserConfidence = result.Heuristic
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, false, r.Findings)
	r.Extra = tool.WithExtra(r.Extra, "doubt", "a command failed, and the exit code does not say so")
}

// status is what is proven of a part, whose own exit code nobody saw: that it
// failed, or that it told all there is to tell and found nothing.
func (m *claim) status(c result.Confidence) result.Status {
	switch {
	case m.report.Failures() > 0 || slices.ContainsFunc(m.report.Findings, saysNo):
		return result.Failed
	case c != result.Parsed || m.report.Meaning != "":
		return ""
	case m.parser.Kind == result.Test && tested(m.report):
		return result.Passed
	case len(m.report.Findings) == 0 && (m.parser.Kind != result.Test || m.report.NoTests):
		return result.OK
	}
	return "" // warnings: its own limits decide
}
