package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("csslint", func(p *tool.Parser) {
	p.Is("csslint", result.Lint, 1, "csslint 0.10 and 1: text, compact, lint-xml, csslint-xml, checkstyle-xml, junit-xml, json")
	p.Reads(tool.Format{Name: "text", Starts: []string{"csslint: There are ", "csslint: There is "}, Named: true, Parse: read.Text{Line: csslintLine}.Parse})
	p.Reads(tool.Format{Name: "lint-xml", Parse: read.XMLByShape("lint", nil)})
	p.Reads(tool.Format{Name: "csslint-xml", Parse: read.XMLByShape("csslint", nil)})
	p.Reads(tool.Format{Name: "json", Parse: read.JSONByShape(`"messages":`, nil)})
	p.Reads(tool.Format{Name: "checkstyle-xml", Parse: read.Checkstyle(read.BareRule("net.csslint."))})
	p.Reads(tool.Format{Name: "junit-xml", Parse: junit.Lints})
})

// csslintLine reads "csslint: There are 7 problems in F.", and for each a number,
// its place and its text; or all of one in a line, "F: line 1, col 2, Error - text (rule)".
func csslintLine(s *read.Sink, l tool.Line) bool {
	if said, ok := strings.CutPrefix(l.Text, "csslint: "); ok {
		head, path, _ := strings.Cut(strings.TrimSuffix(said, "."), " in ")
		switch {
		case strings.HasPrefix(head, "There "):
			s.Path = strings.Clone(path)
			s.Sign(l)
		case strings.HasPrefix(head, "No errors"):
			s.Close(l)
		default:
			s.Misuse(l, said)
		}
		return s.Break()
	}
	if path, rest, ok := strings.Cut(l.Text, ": line "); ok {
		where, message, _ := strings.Cut(rest, " - ")
		line, column, word := csslintPlace(where)
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), Rule: rule, Message: message, At: &result.Location{Path: path, Line: line, Column: column}})
		s.Break()
		return line > 0
	}
	number, rest, _ := strings.Cut(l.Text, ": ")
	word, where, row := strings.Cut(rest, " at line ")
	f := s.Last()
	switch {
	case row && lex.IsDigits(number) && s.Path != "":
		line, column, _ := csslintPlace(where)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), Message: word, At: &result.Location{Path: s.Path, Line: line, Column: column}})
	case f != nil && f.Detail == "" && l.Text != "":
		f.Message = strings.Clone(l.Text)
		return s.More(l)
	case f != nil && l.Text != "":
		s.More(l)
		return s.Break()
	}
	return false
}

// csslintPlace reads "1, col 2, Error".
func csslintPlace(text string) (line, column int, word string) {
	at, rest, _ := strings.Cut(text, ", col ")
	column1, word, _ := strings.Cut(rest, ", ")
	return lex.LeadingNumber(at), lex.LeadingNumber(column1), strings.ToLower(word)
}
