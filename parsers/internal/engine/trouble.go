package engine

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/result"
)

// troubles are lines in which a shell or a runner says that one of its commands failed. If the run failed, these
// lines are part of the text that is shown. If the exit code is 0, the failure was ignored ("-" in a makefile, "||
// true"), and the result says so.
type troubles []result.Span

// maxSwallowed bounds how many such lines are kept: one is enough to prove trouble.
const maxSwallowed = 64

// see takes a line; coded is false if the line is known not to contain shell.Coded.
func (t *troubles) see(l *term.RawLine, coded bool) {
	if l.Alarm < 0 || len(*t) >= maxSwallowed {
		return
	}
	text := l.Text[:min(len(l.Text), 4*maxPrefix)]
	if shell.IsTrouble(unsafe.String(unsafe.SliceData(text), len(text)), coded) { // the text is lent: IsTrouble keeps nothing
		*t = append(*t, result.Span{Start: l.Start, End: l.End})
	}
}

// isChatter reports whether a line, whatever its prefix, only accompanies a failure that is reported elsewhere.
func isChatter(line []byte) bool {
	_, n := cutTask(line)
	return shell.IsChatter(bytes.TrimSpace(line)) || n > 0 && shell.IsChatter(bytes.TrimSpace(line[n:]))
}

// calm makes warnings of what programs print about a pipe whose reader, such as head, left before they had printed
// everything, and of failures after which the line ran the tool again until it succeeded: the line exits 0, as it should.
func (s *Session) calm(parts []*claim, exit result.Exit) {
	for _, m := range parts {
		if !failing(exit) && s.command.Retried(exit.Retried, m.parser.Matches) {
			m.report.Forgive()
		}
		if failing(exit) || !s.command.EndCut() {
			continue
		}
		for i := range m.report.Findings {
			f := &m.report.Findings[i]
			if f.Kind == result.Panic && (strings.Contains(f.Message, "Broken pipe") || strings.Contains(f.Message, "write EPIPE")) || strings.Contains(f.Message, "Pipe to stdout was broken") {
				f.Severity, f.Kind = result.SevWarning, result.GenericFinding
			}
		}
	}
}

// stoppedBefore is the shell whose last line says that it could not run the beginning of the command line ("cd
// nosuchdir && …"), so that the tool never ran; otherwise "".
func (s *Session) stoppedBefore(exit result.Exit) string {
	if len(s.command.Prelude) == 0 || !failing(exit) || s.stats.binary {
		return ""
	}
	parts := strings.Split(strings.TrimSpace(s.lastLine(term.Both).text), ":")
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

// tellExit marks results whose exit code 0 can mislead: a linter reported errors and the code is another command's,
// or a runner says that a command failed.
func (s *Session) tellExit(r *result.ToolResult, parts []*claim, exit result.Exit) {
	if failing(exit) || s.direct() != nil || len(parts) == 0 {
		return
	}
	if slices.ContainsFunc(r.Findings, saysNo) {
		if r.Status == result.OK {
			result.SetExtra(&r.Extra, "exit_of", s.command.ExitOf())
		}
		return
	}
	ignored := func(at result.Span) bool { return !coveredBy(parts, term.RawLine{Start: at.Start, End: at.End}) }
	if s.rest == nil && !slices.ContainsFunc(s.trouble, ignored) || len(s.trouble) == 0 {
		return
	}
	r.ParserConfidence = result.Heuristic
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, false, r.Findings)
	result.SetExtra(&r.Extra, "doubt", "a command failed, and the exit code does not say so")
}

// status is the status of a part, whose own exit code is unknown: failed if it has findings or counts that say so,
// passed if its report is complete and has none, otherwise "" (unknown).
func (m *claim) status(c result.Confidence) result.Status {
	switch {
	case m.report.Failures() > 0 || m.untold() > 0 && m.parser.Kind == result.Test || slices.ContainsFunc(m.report.Findings, saysNo):
		return result.Failed
	case c != result.Parsed || m.report.Meaning != "":
		return ""
	case m.parser.Kind == result.Test && tested(m.report):
		return result.Passed
	case len(m.report.Findings) == 0 && (m.parser.Kind != result.Test || m.report.NoTests):
		return result.OK
	}
	return "" // warnings: the tool's settings decide whether they make it fail
}
