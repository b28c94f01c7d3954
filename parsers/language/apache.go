package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "apache2", Kind: result.Infra, Version: 1,
	About:   "Apache httpd 2.4: configtest and -t",
	Matches: tool.Runs("apache2", "apache2ctl", "apachectl", "httpd"), Programs: []string{"apache2ctl", "apachectl"},
	Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: apacheLine}.Parse}},
})

// apacheLine reads "AH00526: Syntax error on line 3 of /etc/a.conf:" with the
// reason below, or behind it.
func apacheLine(s *read.Sink, l tool.Line) bool {
	rule, text, coded := strings.Cut(l.Text, ": ")
	if coded = coded && strings.HasPrefix(rule, "AH") && lex.IsDigits(rule[2:]); !coded {
		rule, text = "", l.Text
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "apache2: "), "httpd: ")
	switch {
	case l.Text == "Syntax OK":
		s.Close(l)
	case strings.HasPrefix(text, "Syntax error on line "):
		where, why, _ := strings.Cut(text[len("Syntax error on line "):], ":")
		line, path, _ := strings.Cut(where, " of ")
		at := &result.Location{Path: path, Line: lex.Atoi(line)}
		if inner, rest, ok := place.Cut(strings.TrimSpace(why)); ok {
			at, why = &inner, rest
		}
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(why), At: at})
	case s.Last() != nil && s.Last().Message == "" && text != "":
		s.Last().Message = text
	case strings.HasPrefix(text, "Could not reliably determine"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Rule: rule, Message: text})
	case coded, strings.HasPrefix(l.Text, "apache2: ") && !strings.HasPrefix(l.Text, "apache2: option "), strings.HasPrefix(l.Text, "httpd: "):
		s.Find(l, result.Finding{Rule: rule, Message: text})
	default:
		return false
	}
	return true
}
