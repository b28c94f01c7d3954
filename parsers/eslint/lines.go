package eslint

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintHead is the first line of a problem in unix or compact.
type eslintHead struct {
	at      result.Location
	isError bool
	message string
	rule    string
	whole   bool // message and rule end with the line
}

// readESLintUnix reads "path:3:7: message [Error/rule]"; a longer message ends
// further down.
func readESLintUnix(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, ": "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": ", i) {
		if at := place.LastColons(s[:i]); at != nil {
			h.at, h.message = *at, s[i+2:]
			h.message, h.rule, h.isError, h.whole = cutESLintBracket(h.message)
			return h, true
		}
	}
	if spot, ok := strings.CutSuffix(s, ":"); ok { // the message begins with the next line
		if at := place.LastColons(spot); at != nil {
			h.at = *at
			return h, true
		}
	}
	return h, false
}

// cutESLintBracket takes " [Error/rule]" or " [Warning]" off the end.
func cutESLintBracket(s string) (message, rule string, isError, ok bool) {
	open := strings.LastIndex(s, "[")
	if open < 0 || !strings.HasSuffix(s, "]") {
		return s, "", false, false
	}
	severity, rule, _ := strings.Cut(s[open+1:len(s)-1], "/")
	if severity != "Error" && severity != "Warning" || rule != "" && !isESLintRule(rule) {
		return s, "", false, false
	}
	return strings.TrimRight(s[:open], " "), rule, severity == "Error", true
}

// readESLintCompact reads "path: line 3, col 7, Error - message (rule)".
func readESLintCompact(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, ": line "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": line ", i) {
		line, rest, two := strings.Cut(s[i+len(": line "):], ", col ")
		column, rest, three := strings.Cut(rest, ", ")
		severity, message, four := strings.Cut(rest, " -")
		if !two || !three || !four || !lex.IsDigits(line) || !lex.IsDigits(column) || severity != "Error" && severity != "Warning" {
			continue
		}
		h.at = result.Location{Path: s[:i], Line: lex.Atoi(line), Column: lex.Atoi(column)}
		h.isError = severity == "Error"
		h.message, h.rule, h.whole = cutESLintParens(strings.TrimPrefix(message, " "))
		return h, true
	}
	return h, false
}

// cutESLintParens takes " (rule)" off the end.
func cutESLintParens(s string) (message, rule string, ok bool) {
	open := strings.LastIndex(s, " (")
	if open < 0 || !strings.HasSuffix(s, ")") || !isRuleOf(s, s[open+2:len(s)-1]) {
		return s, "", false
	}
	return s[:open], s[open+2 : len(s)-1], true
}

func sniffESLintUnix(line string) bool {
	h, ok := readESLintUnix(strings.TrimRight(line, " \t"))
	return ok && h.whole
}

func sniffESLintCompact(line string) bool {
	_, ok := readESLintCompact(line)
	return ok
}

func parseESLintUnix(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: readESLintUnix, cutEnd: func(h *eslintHead, s string) (string, bool) {
		message, rule, isError, ok := cutESLintBracket(s)
		if ok {
			h.rule, h.isError, h.whole = rule, isError, true
		}
		return message, ok
	}})
}

func parseESLintCompact(in *tool.Input) *tool.Report {
	return parseESLintLines(in, eslintLines{head: readESLintCompact, bare: true, cutEnd: func(h *eslintHead, s string) (string, bool) {
		message, rule, ok := cutESLintParens(s)
		if ok {
			h.rule, h.whole = rule, true
		}
		return message, ok
	}})
}

// eslintLines reads a format with one problem a line.
type eslintLines struct {
	head   func(s string) (eslintHead, bool)
	cutEnd func(h *eslintHead, s string) (message string, ok bool) // the end of a longer message
	bare   bool                                                    // a problem without a rule has no mark at its end

	loose   bool // the rule stands first: a message goes on up to the next problem
	endless bool // no closing line: the report is complete if its last line is

	run      *eslintRun
	open     *eslintHead
	line     tool.Line
	more     []tool.Line
	problems int
	closed   bool
}

func parseESLintLines(in *tool.Input, e eslintLines) *tool.Report {
	e.run = newESLintRun(in)
	for l := range in.Lines() {
		if l.Stream == tool.Stderr && e.run.aside(l) {
			continue
		}
		e.read(l)
	}
	e.close()
	if len(e.run.rep.Findings) == 0 && !e.run.stopped() {
		return nil
	}
	e.run.missing(e.problems)
	return e.run.finish(e.closed)
}

func (e *eslintLines) read(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if h, ok := e.head(s); ok {
		e.close()
		open := h
		e.open, e.line, e.closed = &open, l, e.endless && l.Ended
		if h.whole {
			e.close()
		}
		return
	}
	if n, ok := eslintProblems(s); ok && (e.open != nil || len(e.run.rep.Findings) > 0) {
		e.close()
		e.problems, e.closed = e.problems+n, l.Ended
		e.run.own(l)
		return
	}
	if e.endless && strings.HasPrefix(s, "standard: ") {
		e.run.own(l)
		return
	}
	if e.run.aside(l) || e.open == nil || l.Stream != e.line.Stream {
		return
	}
	e.more = append(e.more, l)
	ended := len(e.more) > maxStylishTail
	if !e.loose {
		_, ok := e.cutEnd(e.open, s)
		ended = ended || ok
	}
	if ended {
		e.close()
	}
}

// close adds the open problem, if it turned out to be one.
func (e *eslintLines) close() {
	h := e.open
	if h == nil {
		return
	}
	more := e.more
	e.open, e.more = nil, nil
	if !h.whole && !e.bare && !e.loose {
		return
	}
	message, end := h.message, e.line.End
	e.run.own(e.line)
	if e.loose {
		more = trimBlank(more)
		for _, l := range more {
			message, end = message+"\n"+strings.TrimRight(l.Text, " \t"), l.End
			e.run.own(l)
		}
	} else if h.whole {
		for _, l := range more {
			part, _ := e.cutEnd(h, strings.TrimRight(l.Text, " \t"))
			message, end = message+"\n"+part, l.End
			e.run.own(l)
		}
	}
	e.run.problem(h.rule, message, h.isError, h.at, e.line, end) // end: the last line of a stream that does not end comes after the other stream
}

// eslintProblems reads "36 problems".
func eslintProblems(s string) (n int, ok bool) {
	count, rest, _ := strings.Cut(s, " ")
	return lex.Atoi(count), lex.IsDigits(count) && (rest == "problems" || rest == "problem")
}

// trimBlank takes empty lines off the end.
func trimBlank(lines []tool.Line) []tool.Line {
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
