package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffFrame is the frame below a finding:
//
//	 --> shop/cart.py:2:8
//	  |
//	1 | import os
//	2 | import sys, json
//	  |        ^^^ label
//	  |
//	help: Remove unused import
//	  |
//	  - import sys, json
//
// Before 0.13, the head has the place, the rule's code follows the carets, and "  = help: " begins the advice.
type ruffFrame struct {
	old    bool   // the head has the place
	advice bool   // below "help:", where the frame shows a diff
	path   string // file of the lines shown
	number int    // number of the last source line
	source string
	marked bool // the main place was underlined
	text   strings.Builder
}

// line takes a line of the frame, and returns false if the frame has ended.
func (b *ruffFrame) line(s *read.Sink, l tool.Line) bool {
	if !isRuffFrame(l.Text) {
		return false
	}
	f, t := s.Last(), strings.TrimLeft(l.Text, " ")
	if help, ok := lex.CutAnyPrefix(t, "help: ", "= help: "); ok {
		b.advice = b.advice || t[0] == 'h'
		ruffHelp(f, help)
	} else if note, ok := strings.CutPrefix(t, "note: "); ok {
		f.Related = append(f.Related, result.Related{Message: note})
	} else if other, ok := strings.CutPrefix(t, "::: "); ok {
		if at, ok := ruffPlace(other); ok {
			b.path = at.Path
		}
	} else if !b.advice {
		b.sourceLine(f, t)
	}
	if b.text.Len()+len(l.Text) < result.MaxDetail { // Sink.More would cut blanks, which a diff may be about
		b.text.WriteString(l.Text + "\n")
		f.Detail = strings.TrimSuffix(b.text.String(), "\n")
	}
	return s.Reach(l)
}

// isRuffFrame reports whether a line has the bar of a frame, or begins a part of one, such as "help: ".
func isRuffFrame(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case ' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return hasRuffBar(s)
	case 'h', 'n', 'i':
		return lex.HasAnyPrefix(s, "help: ", "note: ", "info: ")
	}
	return strings.HasPrefix(s, "-----") && strings.Trim(s, "-") == ""
}

// hasRuffBar reports whether a line begins with blanks, perhaps a line number, and then the
// bar "|" or a sign in place of the bar.
func hasRuffBar(s string) bool {
	t, n := strings.TrimLeft(s, " "), 0
	for n < len(t) && '0' <= t[n] && t[n] <= '9' { // faster than a set of characters
		n++
	}
	if n == 0 {
		return t != "" && (t[0] == '|' || t == "-" || lex.HasAnyPrefix(t, "- ", "= ", "::: "))
	}
	sign := strings.TrimLeft(t[n:], " ")
	return strings.HasPrefix(sign, "|") || len(sign) < len(t)-n && (sign == "+" || sign == "-" || lex.HasAnyPrefix(sign, "+ ", "- "))
}

// sourceLine reads "12 | source" and "   | ^^^ label".
func (b *ruffFrame) sourceLine(f *result.Finding, t string) {
	number, rest, ok := strings.Cut(t, "|")
	if !ok {
		return
	}
	rest = strings.TrimPrefix(rest, " ")
	if n := lex.LeadingNumber(number); n > 0 {
		b.number, b.source = n, rest
		return
	}
	for _, mark := range ruffMarks(rest) {
		b.addMark(f, mark)
	}
}

// ruffMark is an underlined part of the last source line.
type ruffMark struct {
	main     bool // underlined with "^"; other places have "-"
	from, to int  // offsets in the line with the mark, in bytes
	label    string
}

// ruffMarks reads "   ^^^ label", "  --- ^^^ label" and "| |____^ label". The label is that of the last mark in the line.
func ruffMarks(s string) (marks []ruffMark) {
	i := len(s) - len(strings.TrimLeft(s, " |_/"))
	for i < len(s) && (s[i] == '^' || s[i] == '-') {
		to := len(s) - len(strings.TrimLeft(s[i:], s[i:i+1]))
		marks = append(marks, ruffMark{main: s[i] == '^', from: i, to: to})
		i = to
		if next := strings.TrimLeft(s[to:], " "); next != "" && (next[0] == '^' || next[0] == '-') {
			i = len(s) - len(next)
		}
	}
	if len(marks) > 0 {
		marks[len(marks)-1].label = strings.TrimSpace(s[i:])
	}
	return marks
}

// addMark takes a mark below a line of source: the place of the finding, or a further place with a label.
func (b *ruffFrame) addMark(f *result.Finding, m ruffMark) {
	switch {
	case !m.main && m.label != "":
		f.Locations = append(f.Locations, result.Location{Path: b.path, Line: b.number, Column: m.from + 1, Label: m.label})
	case m.main && !b.marked:
		b.marked = true
		if !b.old && m.label != "" { // the other formats have the label in the message
			f.Message = withoutLabel(f.Rule, f.Message+": "+m.label)
		}
		if isASCII(b.source) { // the frame shows wide letters wider than one column
			b.moves(f, m)
			b.ends(f.At, m)
		}
	}
}

// moves sets the place to that of the main mark. Before 0.13, the head of the frame names the first
// of the marked places instead.
func (b *ruffFrame) moves(f *result.Finding, m ruffMark) {
	first := slices.ContainsFunc(f.Locations, func(l result.Location) bool { return l.Line == f.At.Line && l.Column == f.At.Column })
	if first && b.number != f.At.Line {
		f.At.Line, f.At.Column = b.number, m.from+1
	}
}

// ends sets the end of the main place, if the source line shows what is marked.
func (b *ruffFrame) ends(at *result.Location, m ruffMark) {
	if strings.TrimSpace(b.source[min(m.from, len(b.source)):min(m.to, len(b.source))]) == "" {
		return
	}
	many := strings.HasPrefix(b.source, "|") && b.number > at.Line
	switch {
	case many && m.to == m.from+1 && m.from < len(b.source):
		at.EndLine, at.EndColumn = b.number, m.from
	case !many && b.number == at.Line && m.from == at.Column-1 && m.to <= len(b.source):
		at.EndLine, at.EndColumn = at.Line, at.Column+m.to-m.from
	}
}

// endOfFile moves the place of a syntax error at the end of a file. Since 0.13, frames have the place behind
// the last line; all other formats have the start of the line after.
func (b *ruffFrame) endOfFile(f *result.Finding) {
	at := f.At
	if f.Rule != ruffSyntax || b.number != at.Line || at.Column <= len([]rune(b.source)) {
		return
	}
	if strings.Contains(f.Message, "EOF") || strings.Contains(f.Message, "end of file") {
		at.Line, at.Column = at.Line+1, 1
	}
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }
