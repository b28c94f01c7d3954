package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffBlock is a finding and the frame below it:
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
type ruffBlock struct {
	f          result.Finding
	start, end int64
	old        bool // the head has the place
	counted    bool // the limit of findings is reached: the finding is only counted

	text   []string // lines of the frame
	size   int      // bytes of the lines seen
	advice bool     // below "help:", where the frame shows a diff
	path   string   // file of the lines shown
	number int      // number of the last source line
	source string
	marked bool // the main place was underlined
}

// maxRuffFrame bounds the text that is kept of one frame, in bytes.
const maxRuffFrame = result.MaxDetail

// line takes a line of the frame, and returns false if the frame has ended.
func (b *ruffBlock) line(l tool.Line) bool {
	s := l.Text
	if s == "" || !isRuffFrame(s) {
		return false
	}
	b.end = max(b.end, l.End)
	if b.counted {
		return true
	}
	if b.size += len(s) + 1; b.size <= maxRuffFrame {
		b.text = append(b.text, s)
	}
	t := strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(t, "help: "):
		b.advice = true
		ruffHelp(&b.f, t[len("help: "):])
	case strings.HasPrefix(t, "= help: "):
		ruffHelp(&b.f, t[len("= help: "):])
	case strings.HasPrefix(t, "note: "):
		b.f.Related = append(b.f.Related, result.Related{Message: t[len("note: "):]})
	case strings.HasPrefix(t, "::: "):
		if at, ok := ruffPlace(t[len("::: "):]); ok {
			b.path = at.Path
		}
	case !b.advice:
		b.sourceLine(t)
	}
	return true
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
	t := s[lex.LeadingBlanks(s):]
	n := 0
	for n < len(t) && '0' <= t[n] && t[n] <= '9' {
		n++
	}
	if n == 0 {
		return t != "" && (t[0] == '|' || t == "-" || lex.HasAnyPrefix(t, "- ", "= ", "::: "))
	}
	gap := lex.LeadingBlanks(t[n:])
	rest := t[n+gap:]
	edit := rest == "+" || rest == "-" || lex.HasAnyPrefix(rest, "+ ", "- ")
	return strings.HasPrefix(rest, "|") || gap > 0 && edit
}

// sourceLine reads "12 | source" and "   | ^^^ label".
func (b *ruffBlock) sourceLine(t string) {
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
		b.addMark(mark)
	}
}

// ruffMark is an underlined part of the last source line.
type ruffMark struct {
	main     bool // underlined with "^"; other places have "-"
	from, to int  // offsets in the line with the mark, in bytes
	label    string
}

// ruffMarks reads "   ^^^ label" and "| |____^ label". The label is that of the last mark in the line.
func ruffMarks(s string) (marks []ruffMark) {
	i := 0
	for i < len(s) && strings.IndexByte(" |_/", s[i]) >= 0 {
		i++
	}
	for i < len(s) && (s[i] == '^' || s[i] == '-') {
		m := ruffMark{main: s[i] == '^', from: i}
		for i < len(s) && s[i] == s[m.from] {
			i++
		}
		m.to = i
		marks = append(marks, m)
		for i < len(s) && s[i] == ' ' && i+1 < len(s) && strings.IndexByte(" ^-", s[i+1]) >= 0 {
			i++
		}
		if i+1 < len(s) && s[i] == ' ' && strings.IndexByte("^-", s[i+1]) >= 0 {
			i++
		}
	}
	if len(marks) > 0 {
		marks[len(marks)-1].label = strings.TrimSpace(s[i:])
	}
	return marks
}

// addMark takes a mark below a line of source: the place of the finding, or a further place with a label.
func (b *ruffBlock) addMark(m ruffMark) {
	switch {
	case !m.main && m.label != "":
		b.f.Locations = append(b.f.Locations, result.Location{Path: b.path, Line: b.number, Column: m.from + 1, Label: m.label})
	case m.main && !b.marked:
		b.marked = true
		if !b.old && m.label != "" { // the other formats have the label in the message
			b.f.Message = withoutLabel(b.f.Rule, b.f.Message+": "+m.label)
		}
		b.moves(m)
		b.ends(m)
	}
}

// moves sets the place to that of the main mark. Before 0.13, the head of the frame names the first
// of the marked places instead.
func (b *ruffBlock) moves(m ruffMark) {
	first := slices.ContainsFunc(b.f.Locations, func(l result.Location) bool { return l.Line == b.f.At.Line && l.Column == b.f.At.Column })
	if first && b.number != b.f.At.Line && isASCII(b.source) {
		b.f.At.Line, b.f.At.Column = b.number, m.from+1
	}
}

// ends sets the end of the main place, if the source line is ASCII and shows what is marked. The frame
// shows tabs and wide letters wider than one column, so that the mark's columns are not those of the source.
func (b *ruffBlock) ends(m ruffMark) {
	at := b.f.At
	if !isASCII(b.source) || strings.TrimSpace(b.source[min(m.from, len(b.source)):min(m.to, len(b.source))]) == "" {
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

// finish returns the finding of a block that has ended.
func (b *ruffBlock) finish() result.Finding {
	b.f.Detail = strings.Join(b.text, "\n")
	b.f.RawSpan = &result.Span{Start: b.start, End: b.end}
	if !b.old {
		b.endOfFile()
	}
	return b.f
}

// endOfFile moves the place of a syntax error at the end of a file. Since 0.13, frames have the place behind
// the last line; all other formats have the start of the line after.
func (b *ruffBlock) endOfFile() {
	at := b.f.At
	if b.f.Rule != ruffSyntax || b.number != at.Line || at.Column <= len([]rune(b.source)) {
		return
	}
	if strings.Contains(b.f.Message, "EOF") || strings.Contains(b.f.Message, "end of file") {
		at.Line, at.Column = at.Line+1, 1
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
