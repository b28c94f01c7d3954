package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("chktex", func(p *tool.Parser) {
	p.Is("chktex", result.Lint, 1, "ChkTeX 1.7: its messages, and one a line (-v0)")
	p.Reads(chktexTemplate.Format("chktex"))
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: chktexLine}.Parse})
})

// chktexTemplate reads -f, in which "!n" ends a line.
var chktexTemplate = read.Template{
	Letters: true,
	Names:   map[string]string{"f": "{path}", "l": "{line}", "c": "{column}", "m": "{message}", "n": "{rule}", "k": "{word}"},
}

// chktexLine reads "Warning 11 in d.tex line 3: text", with the source and carets
// below it, and "d.tex:3:7:11:text".
func chktexLine(s *read.Sink, l tool.Line) bool {
	level, rest, _ := strings.Cut(l.Text, " ")
	number, rest, named := strings.Cut(rest, " in ")
	path, rest, placed := strings.Cut(rest, " line ")
	line, message, told := strings.Cut(rest, ": ")
	if d, ok := read.CutDiagnostic(l.Text); ok && d.At.Column > 0 {
		if rule, text, ruled := strings.Cut(d.Message, ":"); ruled && lex.IsDigits(rule) {
			return s.Find(l, result.Finding{Severity: result.SevWarning, Rule: rule, Message: text, At: &d.At})
		}
	}
	switch {
	case named && placed && told && lex.IsDigits(number) && lex.IsDigits(line) && read.SeverityOf(level) != "":
		return s.Find(l, result.Finding{
			Severity: read.SeverityOf(level), RawSeverity: strings.ToLower(level), Rule: number, Message: message,
			At: &result.Location{Path: path, Line: lex.Atoi(line)},
		})
	case strings.HasPrefix(l.Text, "chktex: WARNING -- "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(l.Text, "chktex: WARNING -- ")})
	case strings.HasPrefix(l.Text, "chktex: "):
		return s.Misuse(l, strings.TrimPrefix(l.Text, "chktex: "))
	case strings.HasPrefix(l.Text, "ChkTeX v"), strings.HasPrefix(l.Text, "No errors printed; "):
		return s.Sign(l)
	case s.Last() != nil && l.Stream == tool.Stdout:
		if at := s.Last().At; at != nil && at.Column == 0 && strings.Trim(l.Text, " ^") == "" {
			at.Column = strings.IndexByte(l.Text, '^') + 1
		}
		return s.More(l)
	}
	return false
}
