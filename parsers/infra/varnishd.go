package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("varnishd", func(p *tool.Parser) {
	p.Is("varnishd", result.Infra, 1, "varnishd 6 and 7: VCL that does not compile, arguments that are wrong")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*vcl).line))})
})

// vcl reads an error of the VCL compiler, and the first place below it:
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
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	case strings.HasPrefix(l.Text, "Running VCC-compiler failed"), l.Text == "VCL compilation failed":
		s.Break()
		return len(s.Findings) > 0
	case strings.HasPrefix(l.Text, "Error: "), strings.HasPrefix(l.Text, "varnishd: "):
		_, message, _ := strings.Cut(l.Text, ": ")
		return s.Misuse(l, message)
	case f == nil:
		return false
	}
	_, where, ok := strings.Cut(l.Text, "('")
	path, where, quoted := strings.Cut(where, "' Line ")
	if line, column, told := strings.Cut(where, " Pos "); ok && quoted && told && f.At == nil {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
	}
	return s.More(l)
}
