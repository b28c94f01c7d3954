package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("configure", func(p *tool.Parser) {
	p.Is("configure", result.Build, 1, "configure scripts made by Autoconf 2.5 to 2.72: errors and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"configure: error: "}, Parse: read.Text{Line: configureLine}.Parse})
})

// configureLine reads an error, which may have the directory above it, and a warning:
//
//	configure: error: in `/src/shop':
//	configure: error: C compiler cannot create executables
//	See `config.log' for more details
func configureLine(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "configure: error: ")
	warning, warned := strings.CutPrefix(l.Text, "configure: WARNING: ")
	switch {
	case failed && lex.HasAnyPrefix(message, "in `", "in '"):
		return true
	case failed:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: message})
	case warned:
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: warning})
	}
	return s.Last() != nil && strings.HasPrefix(l.Text, "See ") && s.More(l)
}
