package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pug-lint", func(p *tool.Parser) {
	p.Is("pug-lint", result.Lint, 1, "pug-lint 2: console, inline")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "inline", Parse: read.Linter{Plain: true}.Parse})
	p.Reads(tool.Format{Name: "console", Parse: read.Lines((*pugLint).line)})
})

// pugLint reads a place, the source below it and, after an empty line, the message:
//
//	a.pug:4:1
//	  > 4|  span
//	-------^
//
//	Inconsistent indentation.
type pugLint struct {
	at    *result.Location // place of the message to come
	head  tool.Line
	blank bool // the line above is empty
}

func (p *pugLint) line(s *read.Sink, l tool.Line) bool {
	at := place.LastColons(l.Text)
	if path, line, ok := place.CutLineNumber(l.Text); at == nil && ok {
		at = &result.Location{Path: path, Line: line}
	}
	said := p.at != nil && p.blank && l.Text != ""
	p.blank = l.Text == ""
	switch {
	case at != nil && at.Line > 0 && place.IsFile(at.Path) && !strings.Contains(at.Path, " ") && !strings.Contains(at.Path, "node_modules/pug-lint/"): // a place in pug-lint itself belongs to the stack of its own crash
		p.at, p.head = at, l
		return true
	case said:
		p.head.End = max(p.head.End, l.End)
		s.Find(p.head, result.Finding{Message: l.Text, At: p.at})
		p.at = nil
		return s.Break()
	}
	return p.at != nil
}
