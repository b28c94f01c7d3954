package eslint

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// eslintLines reads a format with one problem per line.
type eslintLines struct {
	*eslint
	head func(text string) (eslintHead, bool)
	// rest reads the last line of a longer message, and sets what the first line lacks. nil: the rule precedes the
	// message, which continues up to the next problem.
	rest    func(h *eslintHead, text string) (message string, ok bool)
	bare    bool // the message of a problem without a rule has no mark at its end
	endless bool // no closing line: the report is complete if its last line is

	open   *eslintHead
	line   tool.Line
	more   []tool.Line
	closed bool
}

func parseESLintUnix(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: cutESLintUnix, rest: func(h *eslintHead, text string) (message string, ok bool) {
		message, rule, isError, ok := cutESLintBracket(text)
		if ok {
			h.rule, h.isError, h.whole = rule, isError, true
		}
		return message, ok
	}})
}

func parseESLintCompact(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: cutESLintCompact, bare: true, rest: func(h *eslintHead, text string) (message string, ok bool) {
		message, rule, ok := cutESLintParens(text)
		if ok {
			h.rule, h.whole = rule, true
		}
		return message, ok
	}})
}

func parseESLintStudio(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: cutESLintStudio})
}

func parseStandard(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: cutStandard, endless: true})
}

func parseESLintLines(in *tool.Input, e eslintLines) *tool.Report {
	e.eslint = newESLint(in)
	rep := read.Text{Line: e.read, Count: e.count, Turn: e.turn, End: func(s *read.Sink) { e.turn(s); e.end(s) }}.Parse(in)
	return e.finish(rep, e.closed)
}

// count replaces read for problems in one line, once no more findings are kept.
func (e *eslintLines) count(s *read.Sink, l tool.Line) (own, known bool) {
	h, ok := e.head(strings.TrimRight(l.Text, " \t"))
	if ok = ok && h.whole && e.open == nil; ok {
		e.closed = e.endless && l.Ended
		s.Tell(l, eslintSeverity(h.isError))
	}
	return ok, ok
}

func (e *eslintLines) read(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	if h, ok := e.head(text); ok {
		e.close(s)
		e.open, e.line, e.closed = &h, l, e.endless && l.Ended
		if h.whole {
			e.close(s)
		}
		return false // the finding covers this line
	}
	if n, rest, ok := lex.CutCount(text, "problem"); ok && rest == "" && (e.open != nil || len(s.Findings) > 0) {
		e.close(s)
		e.problems, e.closed = e.problems+n, l.Ended
		return true
	}
	if e.endless && strings.HasPrefix(text, "standard: ") || e.aside(s, l) {
		return true
	}
	if e.open == nil {
		return false
	}
	e.more = append(e.more, l)
	ended := len(e.more) > maxESLintTail
	if e.rest != nil {
		_, ok := e.rest(e.open, text)
		ended = ended || ok
	}
	if ended {
		e.close(s)
	}
	return false
}

func (e *eslintLines) turn(s *read.Sink) {
	e.close(s)
	e.endStop()
}

// close adds the open problem, if its message is complete.
func (e *eslintLines) close(s *read.Sink) {
	h, more := e.open, e.more
	e.open, e.more = nil, nil
	switch {
	case h == nil || !h.whole && !e.bare && e.rest != nil:
		return
	case e.rest == nil:
		more = trimBlank(more)
	case !h.whole:
		more = nil
	}
	message := h.message
	for _, l := range more {
		part := strings.TrimRight(l.Text, " \t")
		if e.rest != nil {
			part, _ = e.rest(h, part)
		}
		message += "\n" + part
	}
	s.Find(e.line, eslintProblem(h.rule, message, h.isError, h.at))
	for _, l := range more {
		s.Reach(l)
	}
	s.Break()
}

// trimBlank removes empty lines from the end.
func trimBlank(lines []tool.Line) []tool.Line {
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
