package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("swc", func(p *tool.Parser) {
	p.Is("swc", result.Build, 1, "swc 1.x on the command line")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failed to compile 1 file with swc.", "Failed to compile … files with swc."}, Named: true, Parse: read.Lines((*swc).line)})
})

// swc reads a framed message, and the command's own lines below it.
type swc struct{ read.Framed }

func (c *swc) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch class, message := jserror.CutClass(text); {
	case c.Line(s, l):
		if f := s.Last(); f != nil {
			f.Kind = result.BuildError
		}
	case strings.HasPrefix(text, "Failed to compile ") || strings.HasPrefix(text, "Successfully compiled"):
		s.Close(l)
	case strings.HasPrefix(text, "Error: Failed to compile"), strings.HasPrefix(text, "at "), s.Closed() && jserror.IsScript(text):
	case len(s.Findings) == 0 && (strings.HasPrefix(l.Text, "Error: ") || class != ""):
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	default:
		return text == "Caused by:" || text == "Syntax Error"
	}
	return true
}
