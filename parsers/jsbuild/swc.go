package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("swc", func(p *tool.Parser) {
	p.Is("swc", result.Build, 1, "swc 1.x on the command line")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failed to compile 1 file with swc.", "Failed to compile … files with swc."}, Parse: read.Text{Line: swcLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: swcLine}.Parse})
})

// swcLine reads "  x Expression expected", and below it ",-[src/a.js:1:1]" and an
// excerpt.
func swcLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, bad := lex.CutAnyPrefix(text, "x ", "× ")
	f := s.Last()
	switch {
	case bad && strings.HasPrefix(l.Text, "  "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case strings.HasPrefix(text, "Failed to compile ") || strings.HasPrefix(text, "Successfully compiled"):
		s.Close(l)
	case strings.HasPrefix(text, "Error: Failed to compile"), strings.HasPrefix(text, "at "), s.Closed() && jserror.IsScript(text):
	case f == nil:
		if class, message := jserror.CutClass(text); strings.HasPrefix(l.Text, "Error: ") || class != "" {
			return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
		}
		return text == "Caused by:" || text == "Syntax Error"
	default:
		if f.At == nil {
			f.At = place.InCorner(text)
		}
		if s.More(l); strings.HasPrefix(text, "`--") || strings.HasPrefix(text, "╰──") {
			s.Break()
		}
	}
	return true
}
