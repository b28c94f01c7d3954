package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("standardrb", func() *tool.Parser {
	return &tool.Parser{
		Tool: "standardrb", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "Standard Ruby 1: its own format, and RuboCop's",
		Formats: []tool.Format{
			{Name: "standard", Parse: read.Text{Line: standardLine}.Parse},
			{Name: "json", Parse: rubocopJSON},
		},
	}
})

// standardLine reads "  app/a.rb:1:8: Layout/X: text".
func standardLine(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "standard: ") {
		return s.Sign(l)
	}
	d, ok := read.CutDiagnostic(strings.TrimPrefix(l.Text, "  "))
	if ok {
		d.Message, d.Rule = read.Colon.Cut(d.Message)
	}
	return ok && isCop(d.Rule) && s.Find(l, result.Finding{Severity: result.SevWarning, Rule: d.Rule, Message: d.Message, At: &d.At})
}
