package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nginx | openresty", func(p *tool.Parser) {
	p.Is("nginx", result.Infra, 1, "nginx -t, and what it logs when it does not start")
	p.Reads(tool.Format{Name: "text", Starts: []string{"nginx: [", "nginx: configuration file "}, Named: true, Parse: read.Text{Line: nginxLine}.Parse})
})

// nginxLine reads "2026/11/22 13:33:15 [emerg] 22057#22057: text in FILE:5" and "nginx: [emerg] text in FILE:5".
func nginxLine(s *read.Sink, l tool.Line) bool {
	rest, named := strings.CutPrefix(l.Text, "nginx: ")
	if named && strings.Contains(rest, "configuration file ") && (strings.HasSuffix(rest, " failed") || strings.HasSuffix(rest, "successful") || strings.HasSuffix(rest, "syntax is ok")) {
		return s.Close(l)
	}
	if _, behind, ok := strings.Cut(rest, " ["); ok && !named && len(rest) > 20 && rest[4] == '/' && rest[7] == '/' {
		rest = "[" + behind
	}
	level, message, ok := strings.Cut(strings.TrimPrefix(rest, "["), "] ")
	severity, known := map[string]result.Severity{
		"emerg": result.SevError, "alert": result.SevError, "crit": result.SevError, "error": result.SevError, "warn": result.SevWarning, "notice": result.SevInfo,
	}[level]
	switch {
	case ok && known && strings.HasPrefix(rest, "["):
	case named && strings.HasPrefix(rest, "invalid option: "):
		severity, message, level = result.SevError, rest, ""
		s.Meaning = result.MeansUsage
	default:
		return false
	}
	if id, text, has := strings.Cut(message, "#"); has && lex.IsDigits(id) {
		_, message, _ = strings.Cut(text, ": ")
	}
	f := result.Finding{Kind: result.GenericFinding, Severity: severity, RawSeverity: level, Message: message}
	if i := strings.LastIndex(message, " in "); i > 0 {
		if at := read.PlaceOf(message[i+len(" in "):]); at != nil {
			f.At, f.Message = at, message[:i]
		}
	}
	return s.Find(l, f)
}
