package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("csslint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "csslint", Kind: result.Lint, Version: 1,
		About: "csslint 0.10 and 1: text, compact, lint-xml",
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"csslint: There are ", "csslint: There is "}, Named: true, Parse: read.Text{Line: csslintLine}.Parse},
			{Name: "xml", Parse: read.Text{Line: csslintXML}.Parse},
		},
	}
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

// csslintXML reads <file name> and in it <issue line char severity reason rule>.
func csslintXML(s *read.Sink, l tool.Line) bool {
	if !strings.Contains(l.Text, "<file ") && !strings.Contains(l.Text, "<issue ") {
		return false
	}
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch kind := x.Next(); {
		case kind == xmltext.End:
			return true
		case kind == xmltext.Open && string(x.Name) == "file":
			s.Path = x.Attr("name")
		case kind == xmltext.Open && string(x.Name) == "issue":
			s.Find(l, result.Finding{
				Severity: read.SeverityOf(x.Attr("severity")), Rule: x.Attr("rule"), Message: x.Attr("reason"),
				At: &result.Location{Path: s.Path, Line: x.Number("line"), Column: x.Number("char")},
			})
		}
	}
}
