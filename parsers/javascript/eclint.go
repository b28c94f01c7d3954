package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("eclint", func(p *tool.Parser) {
	p.Is("eclint", result.Lint, 1, "eclint 2: check")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*eclint).line))})
})

// eclint reads
//
//	bad.js
//	    02:01 ❌ invalid indent style: tab, expected: space
//	                 (EditorConfig indent_style             https://goo.gl/8Qkrbr)
type eclint struct{ path string }

func (e *eclint) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if text != "" && text == strings.TrimRight(l.Text, " ") {
		e.path = text
		return s.Break()
	}
	place, message, _ := strings.Cut(text, " ❌ ")
	line, column, ok := strings.Cut(place, ":")
	rule, told := strings.CutPrefix(text, "(EditorConfig ")
	switch f := s.Last(); {
	case ok && message != "" && e.path != "" && lex.IsDigits(line) && lex.IsDigits(column):
		return s.Find(l, result.Finding{Message: message, At: &result.Location{Path: e.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	case told && f != nil:
		f.Rule, _, _ = strings.Cut(rule, " ")
		s.More(l)
		return s.Break()
	}
	return false
}
