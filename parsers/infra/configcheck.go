package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Servers that check their configuration in words of their own.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "lighttpd", Kind: result.Infra, Version: 1,
		About:   "lighttpd 1.4: -t, -tt, and what it says when it does not start",
		Matches: tool.Runs("lighttpd"), Programs: []string{"lighttpd"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: lighttpdLine}.Parse)}},
	}
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

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "varnishd", Kind: result.Infra, Version: 1,
		About:   "varnishd 6 and 7: VCL that does not compile, arguments that are wrong",
		Matches: tool.Runs("varnishd"), Programs: []string{"varnishd"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(func(in *tool.Input) *tool.Report {
			return read.Text{Line: (&vcl{}).line}.Parse(in)
		})}},
	}
})

// vcl reads what the compiler says, and the first place below it:
//
//	Message from VCC-compiler:
//	Expected ';' got '.'
//	(program line 411), at
//	('/etc/varnish/default.vcl' Line 2 Pos 39)
type vcl struct{ head bool }

func (v *vcl) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case l.Text == "Message from VCC-compiler:":
		v.head = true
		return true
	case v.head:
		v.head = false
		s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
		return true
	case strings.HasPrefix(l.Text, "Running VCC-compiler failed"), l.Text == "VCL compilation failed":
		s.Break()
		return len(s.Findings) > 0
	case strings.HasPrefix(l.Text, "Error: "), strings.HasPrefix(l.Text, "varnishd: "):
		_, message, _ := strings.Cut(l.Text, ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Meaning = result.MeansUsage
		return true
	case f == nil:
		return false
	}
	_, where, ok := strings.Cut(l.Text, "('")
	path, where, quoted := strings.Cut(where, "' Line ")
	if line, column, told := strings.Cut(where, " Pos "); ok && quoted && told && f.At == nil {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
	}
	s.More(l)
	return true
}
