package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("asc", func(p *tool.Parser) {
	p.Is("assemblyscript", result.Build, 1, "asc 0.9 to 0.28")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR TS", "ERROR AS"}, Parse: read.Text{Line: ascLine}.Parse})
})

// ascLine reads "ERROR TS2322: text" or "WARNING AS201: text", the source, and the
// place below it: "   └─ in src/a.ts(2,19)".
func ascLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(l.Text, ": ")
	word, code, two := strings.Cut(head, " ")
	if severity := read.SeverityOf(word); ok && two && severity != "" && lex.HasAnyPrefix(code, "TS", "AS") {
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, RawSeverity: strings.ToLower(word), Rule: code, Message: message})
	}
	f := s.Last()
	if rest, ok := strings.CutPrefix(l.Text, "FAILURE "); ok {
		s.Claim(lex.LeadingNumber(rest))
		return s.Close(l)
	}
	if f == nil {
		return false
	}
	if where, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "└─ in "); ok && f.At == nil {
		f.At = read.PlaceOf(where + ": ")
	}
	return s.More(l)
}
