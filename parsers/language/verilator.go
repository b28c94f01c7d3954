package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("verilator", func(p *tool.Parser) {
	p.Is("verilator", result.Lint, 1, "verilator 4 and 5: --lint-only and builds")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"%Error: ", "%Warning-…: "}, Parse: read.Text{Line: verilatorLine}.Parse})
})

// verilatorLine reads "%Warning-UNUSED: v.sv:3:9: text", with source and advice below it,
// and how many errors there were.
func verilatorLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "%"), ": ")
	word, rule, _ := strings.Cut(head, "-")
	severity := read.SeverityOf(word)
	switch {
	case s.Last() != nil && strings.HasPrefix(l.Text, "  "):
		return s.More(l)
	case !ok || severity == "" || !strings.HasPrefix(l.Text, "%"):
		s.Break()
		return strings.HasPrefix(l.Text, "- Verilator:") || strings.HasPrefix(l.Text, "- V e r i l a t i o n")
	case strings.HasPrefix(message, "Exiting due to "):
		s.Claim(lex.LeadingNumber(message[len("Exiting due to "):]))
		return s.Close(l)
	case strings.HasPrefix(message, "Command Failed "):
		return true
	}
	f := result.Finding{Kind: result.BuildError, Severity: severity, RawSeverity: strings.ToLower(word), Rule: rule, Message: message}
	if at, text, placed := place.Cut(message); placed && text != "" {
		f.At, f.Message = &at, text
	}
	return s.Find(l, f)
}
