package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("salt-lint", func(p *tool.Parser) {
	p.Is("salt-lint", result.Lint, 1, "salt-lint 0.9: default, --severity, json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "filename", Line: "linenumber", Rule: "id", Severity: "severity", Message: "message", Fit: saltFit,
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: saltLine}.Parse})
	p.Reads(read.PythonTrouble("salt-lint"))
})

// saltFit drops the severity, which the text format prints only on request.
func saltFit(f *result.Finding) { f.Severity, f.RawSeverity = "", strings.ToLower(f.RawSeverity) }

// saltLine reads "[201] [INFO] Trailing whitespace", and the place below it.
func saltLine(s *read.Sink, l tool.Line) bool {
	rule, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	if ok && strings.HasPrefix(l.Text, "[") && lex.IsDigits(rule) {
		if level, rest, told := strings.Cut(message, "] "); told && strings.HasPrefix(level, "[") {
			message = rest
		}
		return s.Find(l, result.Finding{Rule: rule, Message: message})
	}
	f := s.Last()
	if f == nil || l.Text == "" {
		s.Break()
		return false
	}
	if at, rest, placed := place.Cut(l.Text); placed && rest == "" && f.At == nil {
		f.At = &at
	}
	return s.More(l)
}
