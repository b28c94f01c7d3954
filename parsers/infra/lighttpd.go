package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lighttpd", func(p *tool.Parser) {
	p.Is("lighttpd", result.Infra, 1, "lighttpd 1.4: -t, -tt, and what it says when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: lighttpdLine}.Parse)})
})

// lighttpdLine reads "2026-11-22 19:44:34: (configfile.c.1878) source: lt.conf line: 4
// pos: 6 text".
func lighttpdLine(s *read.Sink, l tool.Line) bool {
	_, rest, ok := strings.Cut(l.Text, ": (")
	_, message, inside := strings.Cut(rest, ") ")
	if !ok || !inside || !strings.Contains(rest, ".c.") {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if where, ok := strings.CutPrefix(message, "source: "); ok {
		path, behind, _ := strings.Cut(where, " line: ")
		line, behind, _ := strings.Cut(behind, " pos: ")
		column, text, placed := strings.Cut(behind, " ")
		if placed && lex.IsDigits(line) && lex.IsDigits(column) {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, text
		}
	}
	if len(s.Findings) == 0 || !strings.HasPrefix(message, "configfile parser failed at: ") {
		s.Find(l, f)
	}
	return true
}
