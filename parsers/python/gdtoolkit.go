package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The tools for GDScript, Godot's language: a linter, a parser, and a formatter that prints as black does.
var (
	_ = Room.Add("gdlint gdparse", func(p *tool.Parser) { gdTool(p, "gdlint", result.Lint, "gdlint gdparse") })
	_ = Room.Add("gdformat", func(p *tool.Parser) { gdTool(p, "gdformat", result.Format, "gdformat") })
)

func gdTool(p *tool.Parser, name string, kind result.Kind, programs string) {
	p.Is(name, kind, 1, name+" of gdtoolkit 4")
	p.Programs = strings.Fields(programs)
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*gdFile).line)})
	p.Reads(read.PythonTrouble(name))
}

// gdFile is a file that cannot be parsed: its path, and the line with the path, above the error.
type gdFile struct {
	path string
	at   tool.Line
}

// line reads the forms below, and black's:
//
//	x.gd:3: Error: Function name "Foo" is not valid (function-name)
//
//	broken.gd:
//
//	func (:
//	     ^
//
//	Unexpected token Token('LPAR', '(') at line 1, column 6.
func (p *gdFile) line(s *read.Sink, l tool.Line) bool {
	path, isHead := strings.CutSuffix(l.Text, ":")
	said, where, broken := strings.Cut(l.Text, " at line ")
	file, why, cannot := strings.Cut(strings.TrimPrefix(l.Text, "Cannot open file '"), "': ")
	text, rule := read.Parens.Cut(l.Text)
	place, message, linted := strings.Cut(text, ": Error: ")
	number := place[strings.LastIndexByte(place, ':')+1:]
	switch {
	case linted && lex.IsDigits(number):
		at := result.Location{Path: strings.TrimSuffix(place, ":"+number), Line: lex.Atoi(number)}
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		return s.Break()
	case cannot:
		s.Find(l, result.Finding{Rule: "io", Message: why, At: &result.Location{Path: file}})
		return s.Break()
	case broken && p.path != "":
		row, column, _ := strings.Cut(where, ", column ")
		at := result.Location{Path: p.path, Line: lex.LeadingNumber(row), Column: lex.LeadingNumber(column)}
		s.Find(l, result.Finding{Rule: "invalid-syntax", Message: said, At: &at})
		s.Last().RawSpan.Start = p.at.Start
		p.path = ""
		return true
	case strings.HasPrefix(l.Text, "Failure: "):
		_, counts, _ := strings.Cut(l.Text, ": ")
		s.Problems(lex.LeadingNumber(counts))
		return s.Close(l)
	case isHead && !strings.Contains(path, " ") && strings.HasSuffix(path, ".gd"):
		p.path, p.at = path, l
		return s.Break()
	}
	return blackLine(s, l)
}
