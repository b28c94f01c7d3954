package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nim | nimble testament", func(p *tool.Parser) {
	p.Is("nim", result.Build, 1, "nim 1.4 to 2.2: errors, warnings, and exceptions of what it runs")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: nimLine}.Parse})
})

// nimLine reads "a.nim(2, 14) Error: type mismatch … [Rule]"; hints are passed by.
func nimLine(s *read.Sink, l tool.Line) bool {
	at, rest, ok := place.Cut(l.Text)
	switch {
	case ok && strings.HasPrefix(rest, "Error: "), ok && strings.HasPrefix(rest, "Warning: "):
		word, message := read.CutSeverity(rest)
		message, rule := read.Brackets.Cut(message)
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: &at}
		if at.Path == "command line" {
			f.At, s.Meaning = nil, result.MeansUsage
		}
		return s.Find(l, f)
	case ok && strings.HasSuffix(at.Path, ".nim") && !strings.HasPrefix(rest, "Hint"):
		s.Path = l.Text
		return true // of a trace: the innermost frame stands last
	case strings.HasPrefix(l.Text, "Error: unhandled exception: "):
		message, rule := read.Brackets.Cut(l.Text[len("Error: unhandled exception: "):])
		f := result.Finding{Kind: result.Panic, Rule: rule, Message: message}
		if at, _, ok := place.Cut(s.Path); ok {
			f.At = &at
		}
		return s.Find(l, f)
	case strings.HasPrefix(l.Text, "Error: execution of an external program failed"):
		return true
	case strings.HasPrefix(l.Text, "Error: "):
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text[7:]})
	case strings.HasPrefix(l.Text, "Hint: "):
		return s.Sign(l)
	}
	return false
}
