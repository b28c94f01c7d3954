package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("coffeelint", func(p *tool.Parser) {
	p.Is("coffeelint", result.Lint, 1, "coffeelint 2 to 5: default, raw, csv, jslint, checkstyle")
	p.Reads(tool.Format{Name: "text", Starts: []string{"✗ Lint! » "}, Parse: read.Text{Line: coffeelintLine}.Parse})
	p.Reads(tool.Format{Name: "raw", Parse: read.JSONByShape(`"level":`, nil)})
	p.Reads(tool.Format{Name: "csv", Parse: read.TableByShape("path,lineNumber,", nil)})
	p.Reads(tool.Format{Name: "jslint", Parse: read.XMLByShape("jslint", func(f *result.Finding) {
		f.RawSeverity, f.Message = read.CutSeverity(f.Message)
		f.Severity = read.SeverityOf(f.RawSeverity)
	})})
})

// coffeelintLine reads a file, "  ✗ a.coffee", and below it its problems, "     ✗ #2-2: Text. (rule) more".
func coffeelintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if strings.Contains(text, " Lint! » ") || strings.Contains(text, " Ok! » ") {
		s.Claim(lex.LeadingNumber(text[strings.Index(text, "» ")+len("» "):]))
		return s.Close(l)
	}
	mark, rest, _ := strings.Cut(text, " ")
	severity := map[string]result.Severity{"✗": result.SevError, "⚡": result.SevWarning, "✓": result.SevInfo}[mark]
	where, message, row := strings.Cut(strings.TrimPrefix(rest, "#"), ": ")
	switch {
	case severity == "" && s.Open() && s.Last() != nil && s.Last().Rule == "": // source below a message; its last line is "^. (rule)"
		if _, rule := read.Parens.Cut(text); rule != "" {
			s.Last().Rule = rule
			s.Reach(l)
			return s.Break()
		}
		return s.Reach(l)
	case severity == "" || !strings.HasPrefix(l.Text, "  "):
		return false
	case row && rest[0] == '#' && s.Path != "":
		f := result.Finding{Severity: severity, Message: message, At: &result.Location{Path: s.Path, Line: lex.LeadingNumber(where)}}
		if said, behind, ok := strings.Cut(message, ". ("); ok {
			f.Rule, message, _ = strings.Cut(behind, ")")
			f.Message = strings.TrimSpace(said + ". " + strings.TrimSpace(message))
		}
		s.Find(l, f)
		if f.Rule != "" {
			s.Break()
		}
	default:
		s.Path = strings.Clone(rest)
		s.Cover(l)
	}
	return true
}
