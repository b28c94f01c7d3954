package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "nginx", Kind: result.Infra, Version: 1,
	About:   "nginx 1.14 to 1.29: -t, and why it does not start",
	Matches: tool.Runs("nginx", "openresty", "angie"), Programs: []string{"nginx"},
	Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: nginxLine}.Parse}},
})

// nginxLine reads "2026/11/22 13:33:15 [emerg] 1#1: text in /etc/nginx.conf:5" and,
// without a log, "nginx: [emerg] text".
func nginxLine(s *read.Sink, l tool.Line) bool {
	text, named := strings.CutPrefix(l.Text, "nginx: ")
	before, rest, ok := strings.Cut(text, "[")
	level, message, closed := strings.Cut(rest, "] ")
	switch {
	case named && strings.HasSuffix(text, " test failed"), named && strings.HasSuffix(text, " is successful"), named && strings.HasSuffix(text, " syntax is ok"):
		s.Close(l)
		return true
	case named && strings.HasPrefix(text, "invalid option"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
		s.Meaning = result.MeansUsage
		return true
	case !ok || !closed || !lex.IsOneOf(level, "emerg alert crit error warn") || !named && strings.Trim(before, "0123456789/: ") != "":
		return false
	}
	if process, after, has := strings.Cut(message, ": "); has && strings.Contains(process, "#") {
		message = after
	}
	f := result.Finding{RawSeverity: level, Message: message}
	if level == "warn" {
		f.Severity = result.SevWarning
	}
	if i := strings.LastIndex(message, " in "); i > 0 {
		if path, line, has := place.CutLineNumber(message[i+4:]); has {
			f.At, f.Message = &result.Location{Path: path, Line: line}, message[:i]
		}
	}
	s.Find(l, f)
	return true
}
