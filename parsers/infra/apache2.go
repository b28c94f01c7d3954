package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("apache2 apachectl httpd | apache2ctl", func(p *tool.Parser) {
	p.Is("apache2", result.Infra, 1, "apache2 -t, apachectl configtest, httpd -t")
	p.Reads(tool.Format{Name: "text", Starts: []string{"AH0… apache2: ", "apache2: Syntax error on line "}, Named: true, Parse: read.Text{Line: apacheLine}.Parse})
})

// apacheLine reads "AH00526: Syntax error on line 3 of FILE:" with the reason behind it or on the next line, and
// errors in an included file.
func apacheLine(s *read.Sink, l tool.Line) bool {
	rule, text, ok := strings.Cut(l.Text, ": ")
	if !ok || len(rule) != 7 || !strings.HasPrefix(rule, "AH0") {
		rule, text = "", l.Text
	}
	for _, program := range [...]string{"apache2: ", "httpd: ", "apachectl: "} {
		text = strings.TrimPrefix(text, program)
	}
	named := rule != "" || text != l.Text
	f := result.Finding{Kind: result.GenericFinding, Rule: rule, Message: text}
	rest, syntax := strings.CutPrefix(text, "Syntax error on line ")
	line, file, at := strings.Cut(rest, " of ")
	switch {
	case l.Text == "Syntax OK":
		return s.Close(l)
	case syntax && at && lex.IsDigits(line):
		path, message, _ := strings.Cut(file, ":")
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, strings.TrimSpace(message)
		if inner, why, ok := place.Cut(f.Message); ok {
			f.At, f.Message = &inner, why
		}
	case strings.HasPrefix(text, "Could not reliably determine the server's"), rule == "AH00112":
		f.Severity = result.SevWarning
	case !named && s.Last() != nil && s.Last().Message == "":
		s.Last().Message = l.Text
		return true
	case !named, strings.HasPrefix(text, "Action '"):
		return false
	}
	return s.Find(l, f)
}
