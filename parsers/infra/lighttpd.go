package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lighttpd", func(p *tool.Parser) {
	p.Is("lighttpd", result.Infra, 1, "lighttpd 1.4: -t, -tt, and what it says when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{ // "2026-11-22 19:44:34: (configfile.c.1878) source: …"
		{Form: "{}: ({}.c.{}) source: {path} line: {line} pos: {column} {message}"}, {Form: "{}: ({}.c.{}) {message}"},
	}, End: lighttpdEnd}.Parse)})
})

// lighttpdEnd removes "configfile parser failed at: …", which ends the list of what is wrong.
func lighttpdEnd(s *read.Sink) {
	if len(s.Findings) > 1 {
		s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "configfile parser failed at: ") })
	}
}
