package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("wireit", func(p *tool.Parser) {
	p.Is("wireit", result.Build, 1, "wireit 0.10 to 0.14: scripts that failed, mistakes of their configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"❌ [", "❌ package.json:", "❌ 1 script failed", "❌ … scripts failed", "✅ Ran "}, Parse: read.Text{Line: wireitLine}.Parse})
})

// wireitLine reads "❌ [build] Failed with exit status 2", and mistakes in package.json with their places.
func wireitLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	bad, failed := strings.CutPrefix(text, "❌ ")
	name, how := cutBracketed(bad)
	switch {
	case lex.HasAnyPrefix(text, "✅ ", "🏃 ", "⏳ ", "📂 ", "🔍 ", "Analyzing") || strings.Contains(text, "% [") && strings.Contains(text, " running] "):
		s.Sign(l)
	case failed && name != "":
		taskFailed(s, l, name, strings.TrimSuffix(strings.TrimSuffix(how, " Output:"), "."))
	case failed && (strings.HasSuffix(bad, " script failed.") || strings.HasSuffix(bad, " scripts failed.")):
		s.Close(l)
	case failed:
		d, ok := read.CutDiagnostic(bad)
		if !ok {
			return s.Misuse(l, bad)
		}
		s.Find(l, result.Finding{Message: d.Message, At: &d.At})
		s.Meaning = result.MeansUsage
	case s.Last() != nil && l.Text != text && text != "":
		s.More(l)
	default:
		return false
	}
	return true
}
