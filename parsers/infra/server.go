package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Servers and init systems that check their own configuration.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "nginx", Kind: result.Infra, Version: 1,
		About:   "nginx -t, and what it logs when it does not start",
		Matches: tool.Runs("nginx", "openresty"), Programs: []string{"nginx"},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Text{Line: nginxLine}.Parse},
			{Name: "text", Starts: []string{"nginx: [", "nginx: configuration file "}, Parse: read.Text{Line: nginxLine}.Parse},
		},
	}
})

// nginxLine reads "2026/11/22 13:33:15 [emerg] 22057#22057: text in FILE:5" and the
// same behind "nginx: ".
func nginxLine(s *read.Sink, l tool.Line) bool {
	rest, named := strings.CutPrefix(l.Text, "nginx: ")
	if named && strings.Contains(rest, "configuration file ") && (strings.HasSuffix(rest, " failed") || strings.HasSuffix(rest, "successful") || strings.HasSuffix(rest, "syntax is ok")) {
		s.Close(l)
		return true
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
	s.Find(l, f)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "apache2", Kind: result.Infra, Version: 1,
		About:   "apache2 -t, apachectl configtest, httpd -t",
		Matches: tool.Runs("apache2", "apache2ctl", "apachectl", "httpd"), Programs: []string{"apache2", "apachectl", "httpd"},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Text{Line: apacheLine}.Parse},
			{Name: "text", Starts: []string{"AH0… apache2: ", "apache2: Syntax error on line "}, Parse: read.Text{Line: apacheLine}.Parse},
		},
	}
})

// apacheLine reads "AH00526: Syntax error on line 3 of FILE:", the reason in the
// line below it or behind it, and what stands in a file that was included.
func apacheLine(s *read.Sink, l tool.Line) bool {
	rule, text, ok := strings.Cut(l.Text, ": ")
	if !ok || len(rule) != 7 || !strings.HasPrefix(rule, "AH0") {
		rule, text = "", l.Text
	}
	for _, program := range [...]string{"apache2: ", "httpd: ", "apachectl: "} {
		text = strings.TrimPrefix(text, program)
	}
	named := rule != "" || text != l.Text
	f := result.Finding{Kind: result.GenericFinding, Rule: rule, Message: text}
	rest, syntax := strings.CutPrefix(text, "Syntax error on line ")
	line, file, at := strings.Cut(rest, " of ")
	switch {
	case l.Text == "Syntax OK":
		s.Close(l)
		return true
	case syntax && at && lex.IsDigits(line):
		path, message, _ := strings.Cut(file, ":")
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, strings.TrimSpace(message)
		if inner, why, ok := place.Cut(f.Message); ok {
			f.At, f.Message = &inner, why
		}
	case strings.HasPrefix(text, "Could not reliably determine the server's"), rule == "AH00112":
		f.Severity = result.SevWarning
	case !named && s.Last() != nil && s.Last().Message == "":
		s.Last().Message = l.Text
		return true
	case !named, strings.HasPrefix(text, "Action '"):
		return false
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "systemd-analyze", Kind: result.Infra, Version: 1,
		About:   "systemd-analyze verify and calendar, systemd 245 to 257",
		Matches: tool.Runs("systemd-analyze"), Programs: []string{"systemd-analyze"},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Default: result.SevWarning, Other: systemdLine}.Parse}},
	}
})

// systemdLine reads what names a unit and no line of it.
func systemdLine(s *read.Sink, l tool.Line) bool {
	unit, message, ok := strings.Cut(l.Text, ": ")
	f := result.Finding{Kind: result.GenericFinding, Message: l.Text}
	switch {
	case ok && strings.Contains(unit, ".") && !strings.Contains(unit, " "):
		f = result.Finding{Message: message, At: &result.Location{Path: unit}}
	case strings.HasPrefix(l.Text, "Failed to "), strings.HasPrefix(l.Text, "Unknown ") && l.Stream == tool.Stderr:
	case strings.HasPrefix(l.Text, "Unit ") && (strings.HasSuffix(l.Text, " not found.") || strings.HasSuffix(l.Text, "bad unit file setting.")):
	default:
		return false
	}
	s.Find(l, f)
	return true
}
