package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("systemd-analyze", func(p *tool.Parser) {
	p.Is("systemd-analyze", result.Infra, 1, "systemd-analyze verify, calendar and security, systemd 245 to 257")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Default: result.SevWarning, Other: systemdLine}.Parse})
})

// systemdLine reads messages that name a unit without a line: "x.service: text", and "✗ NAME  text".
func systemdLine(s *read.Sink, l tool.Line) bool {
	unit, message, ok := strings.Cut(l.Text, ": ")
	f := result.Finding{Kind: result.GenericFinding, Message: l.Text}
	if row, fails := strings.CutPrefix(l.Text, "✗ "); fails {
		name, text, _ := strings.Cut(row, "  ")
		return s.Find(l, result.Finding{Severity: result.SevWarning, Rule: name, Message: lex.OnOneLine(text)})
	}
	if total, ok := strings.CutPrefix(l.Text, "→ Overall exposure level for "); ok {
		name, level, _ := strings.Cut(total, ": ")
		return s.Find(l, result.Finding{Severity: result.SevWarning, ID: name, Message: "overall exposure level: " + level})
	}
	switch {
	case ok && strings.Contains(unit, ".") && !strings.Contains(unit, " "):
		f = result.Finding{Message: message, At: &result.Location{Path: unit}}
	case strings.HasPrefix(l.Text, "Failed to "), strings.HasPrefix(l.Text, "Unknown ") && l.Stream == tool.Stderr:
	case strings.HasPrefix(l.Text, "Unit ") && (strings.HasSuffix(l.Text, " not found.") || strings.HasSuffix(l.Text, "bad unit file setting.")):
	default:
		return false
	}
	return s.Find(l, f)
}
