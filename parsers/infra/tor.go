package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tor", func(p *tool.Parser) {
	p.Is("tor", result.Infra, 1, "tor 0.4: --verify-config, and what it logs when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: torLine}.Parse)})
})

// torLine reads "Nov 22 23:31:12.058 [warn] text". The error "… see warnings above." makes the last warning an error.
func torLine(s *read.Sink, l tool.Line) bool {
	stamp, rest, _ := strings.Cut(l.Text, " [")
	level, message, ok := strings.Cut(rest, "] ")
	if !ok || len(stamp) != len("Nov 22 23:31:12.058") || !lex.IsOneOf(level, "err warn notice info debug") {
		return false
	}
	switch {
	case level == "err" && strings.HasSuffix(message, "see warnings above.") && len(s.Findings) > 0:
		s.Findings[len(s.Findings)-1].Severity = result.SevError
		s.Close(l)
	case level == "err":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevError, RawSeverity: level, Message: message})
	case level == "warn":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, RawSeverity: level, Message: message})
	}
	return true
}
