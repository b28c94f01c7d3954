package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("m4", func(p *tool.Parser) {
	p.Is("m4", result.Build, 1, "GNU m4 1.4: errors and warnings with their place")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: m4Line}.Parse)})
})

// m4Line reads "m4:a.m4:3: text".
func m4Line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "m4:")
	if !ok || l.Stream != tool.Stderr {
		return false
	}
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(rest)}
	if at, message, placed := place.Cut(rest); placed && message != "" {
		f.RawSeverity, f.Message = read.CutSeverity(message)
		f.Severity, f.At = read.SeverityOf(f.RawSeverity), &at
	} else if strings.HasPrefix(f.Message, "unrecognized option ") || strings.HasPrefix(f.Message, "invalid option ") {
		s.Meaning = result.MeansUsage
	}
	return s.Find(l, f)
}
