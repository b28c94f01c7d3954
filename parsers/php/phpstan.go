package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("phpstan | phpstan.phar", func(p *tool.Parser) {
	p.Is("phpstan", result.Typecheck, 1, "PHPStan 1 and 2: table, raw, json; from its documentation")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/files": read.Objects{Keyed: true, In: "messages", Line: "line", Rule: "identifier", Message: "message"}.Item}, End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "table", Starts: []string{"Line   …"}, Sniff: isPHPStanHead, Parse: read.Text{Line: phpstanLine, End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "raw", Parse: read.Text{Line: phpstanLine, End: read.Unseen}.Parse})
})

// isPHPStanHead recognizes "Line   src/Parcel.php".
func isPHPStanHead(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), ".php") }

// phpstanLine reads the table and, in raw, "path:line:text":
//
//	------ -------------------------
//	 Line   src/Parcel.php
//	------ -------------------------
//	 12     Undefined variable: $x
//	        🪪  variable.undefined
func phpstanLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	number, text, _ := strings.Cut(t, " ")
	text = strings.TrimSpace(text)
	at, message, placed := place.Cut(l.Text)
	switch {
	case t == "" || strings.Trim(t, "- ") == "":
		s.Break()
		return s.Path != ""
	case number == "Line" && strings.HasSuffix(text, ".php"):
		s.Path = text
	case s.Path != "" && lex.IsDigits(number) && text != "":
		s.Find(l, result.Finding{Message: text, At: &result.Location{Path: s.Path, Line: lex.Atoi(number)}})
	case strings.HasPrefix(t, "[ERROR] ") || strings.HasPrefix(t, "[OK] "):
		if n := read.Counts(t); n["errors"]+n["error"] > 0 {
			s.Claim(n["errors"] + n["error"])
		}
		s.Close(l)
	case placed && strings.HasSuffix(at.Path, ".php"):
		s.Find(l, result.Finding{Message: message, At: &at})
		s.Break()
	case s.Last() == nil:
		return false
	default:
		phpstanMore(s.Last(), t)
		s.More(l)
	}
	return true
}

// phpstanMore reads a further line of an error: the identifier behind 🪪, a tip behind 💡, or more of the message.
func phpstanMore(f *result.Finding, t string) {
	if _, id, ok := strings.Cut(t, "🪪 "); ok {
		f.Rule = strings.TrimSpace(id)
	} else if _, tip, ok := strings.Cut(t, "💡 "); ok {
		f.Suggestions = append(f.Suggestions, strings.TrimSpace(tip))
	} else if f.Rule == "" {
		f.Message += " " + t
	}
}
