package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("c8 nyc | istanbul", func(p *tool.Parser) {
	p.Is("c8", result.Generic, 1, "c8 and nyc: limits of coverage that were not met")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: Coverage for "}, Parse: read.Text{Line: coverageLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Yargs})
})

// coverageLine reads "ERROR: Coverage for lines (85.71%) does not meet global
// threshold (100%)", and with --per-file the file behind it. The table above it is
// istanbul's, which test runners print as well.
func coverageLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR: ")
	if !ok || !strings.HasPrefix(message, "Coverage for ") {
		return strings.Count(l.Text, "|") == 5
	}
	f := result.Finding{Message: message}
	if i := strings.LastIndex(message, ") for "); i > 0 {
		f.Message, f.At = message[:i+1], &result.Location{Path: message[i+len(") for "):]}
	}
	f.Rule, _, _ = strings.Cut(strings.TrimPrefix(message, "Coverage for "), " ")
	return s.Find(l, f)
}
