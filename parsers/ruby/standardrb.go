package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("standardrb", func(p *tool.Parser) {
	p.Is("standardrb", result.Lint, 1, "Standard Ruby 1: its own format, and RuboCop's")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "standard", Parse: read.Text{Line: standardLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: rubocopJSON})
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
