package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pyroma", func(p *tool.Parser) {
	p.Is("pyroma", result.Lint, 1, "pyroma 3 to 5: its report")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*pyroma).line))})
})

// pyroma reads the complaints between two rules:
//
//	Found uvr
//	------------------------------
//	The package had no Summary!
//	------------------------------
//	Final rating: 0/10
type pyroma struct{ found, open bool }

func (p *pyroma) line(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case strings.HasPrefix(text, "Final rating: "):
		s.Close(l)
	case text != "" && strings.Trim(text, "-") == "":
		p.open, p.found = p.found, false
	case strings.HasPrefix(text, "Found "):
		p.found = true
	case p.open && text != "":
		s.Find(l, result.Finding{Message: text})
	default:
		return strings.HasPrefix(text, "Checking ") || strings.HasPrefix(text, "Getting metadata for ")
	}
	return true
}
