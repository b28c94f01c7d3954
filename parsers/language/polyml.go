package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("poly polyc", func(p *tool.Parser) {
	p.Is("polyml", result.Generic, 1, "Poly/ML 5.7, which reads a program from stdin and exits 0 whatever is wrong with it")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: polyLine}.Parse)})
})

// polyLine reads "poly: : error: text" for a program on stdin, and "a.sml:3: error: text" for a file.
func polyLine(s *read.Sink, l tool.Line) bool {
	where, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "poly: "), ": ")
	word, text := read.CutSeverity(message)
	path, line, placed := place.CutLineNumber(where)
	switch {
	case ok && (word == "error" || word == "warning") && (where == "" || placed):
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Message: text}
		if placed {
			f.At = &result.Location{Path: path, Line: line}
		}
		return s.Find(l, f)
	case l.Text == "Static Errors":
		return s.Close(l)
	case s.Last() == nil:
		return false
	case strings.HasPrefix(l.Text, "      Can't unify "): // the reason of a type error
		s.Last().Message += " " + strings.TrimSpace(l.Text)
		return s.More(l)
	case strings.HasPrefix(l.Text, "Found near ") || strings.HasPrefix(l.Text, " "):
		return s.More(l)
	}
	s.Break()
	return false
}
