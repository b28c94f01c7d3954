package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jsonlint", func(p *tool.Parser) {
	p.Is("jsonlint", result.Lint, 1, "jsonlint 1.6: default and --compact")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: jsonlintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("'--", "Invalid ")})
})

// jsonlintLine reads "Error: Parse error on line 3:", and below it the source and the expected tokens. Only the
// command names the file.
func jsonlintLine(s *read.Sink, l tool.Line) bool {
	if line, ok := strings.CutPrefix(l.Text, "Error: Parse error on line "); ok {
		f := result.Finding{Message: "Parse error"}
		for _, arg := range s.In.Command().Argv {
			if strings.Contains(arg, ".") && arg[0] != '-' {
				f.At = &result.Location{Path: arg, Line: lex.LeadingNumber(line)}
			}
		}
		if f.At == nil {
			f.Message = strings.TrimSuffix(strings.TrimPrefix(l.Text, "Error: "), ":")
		}
		return s.Find(l, f)
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.HasPrefix(d.Message, "found: ") {
		got, want, _ := strings.Cut(strings.TrimPrefix(d.Message, "found: "), " - expected: ")
		s.Find(l, result.Finding{Message: "Expecting " + strings.TrimSuffix(want, ".") + ", got " + got, At: &d.At})
		return s.Break()
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if strings.HasPrefix(l.Text, "Expecting ") {
		f.Message = l.Text
	}
	return s.More(l)
}
