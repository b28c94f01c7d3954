package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("apache2 apachectl httpd | apache2ctl", func(p *tool.Parser) {
	p.Is("apache2", result.Infra, 1, "apache2 -t, apachectl configtest, httpd -t")
	p.Reads(tool.Format{Name: "text", Starts: []string{"AH0… apache2: ", "apache2: Syntax error on line "}, Named: true, Parse: read.Text{Line: apacheLine}.Parse})
})

// apacheLine reads "AH00526: Syntax error on line 3 of FILE:" with the reason behind it or on the next line, and
// errors in an included file.
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
		return s.Close(l)
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
	return s.Find(l, f)
}

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

var _ = Room.Add("lighttpd", func(p *tool.Parser) {
	p.Is("lighttpd", result.Infra, 1, "lighttpd 1.4: -t, -tt, and what it says when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{ // "2026-11-22 19:44:34: (configfile.c.1878) source: …"
		{Form: "{}: ({}.c.{}) source: {path} line: {line} pos: {column} {message}"}, {Form: "{}: ({}.c.{}) {message}"},
	}, End: lighttpdEnd}.Parse)})
})

// lighttpdEnd removes "configfile parser failed at: …", which ends the list of what is wrong.
func lighttpdEnd(s *read.Sink) {
	if len(s.Findings) > 1 {
		s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "configfile parser failed at: ") })
	}
}

var _ = Room.Add("caddy", func(p *tool.Parser) {
	p.Is("caddy", result.Infra, 1, "caddy 2: a Caddyfile or a configuration that is refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{Errors: []string{"Error: "}, Fill: fillCaddy, End: callsWrong}.Parse)})
})

// fillCaddy moves the place in "adapting config using caddyfile: Caddyfile:2: text" out of the message.
func fillCaddy(f *result.Finding) {
	text := strings.TrimPrefix(f.Message, "adapting config using caddyfile: ")
	path, rest, _ := strings.Cut(text, ":")
	line, message, ok := strings.Cut(strings.Replace(rest, " - ", ": ", 1), ": ")
	if ok && lex.IsDigits(line) && !strings.Contains(path, " ") {
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, message
	}
}

var _ = Room.Add("haproxy", func(p *tool.Parser) {
	p.Is("haproxy", result.Infra, 1, "haproxy -c, 2.x and 3.x, and what it says when it does not start")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[ALERT]…: config : "}, Named: true, Parse: read.Rows{Kind: result.GenericFinding, Rows: []read.Row{
		{Form: "Configuration file is valid", As: read.Close}, {Form: "[{}]{}) : {}rror(s) found in configuration file{}", As: read.Skip}, {Form: "[{}]{}) : {}Fatal errors found in configuration{}", As: read.Skip},
		{Form: "[ALERT]{}) : {message}", Fit: haproxyPlace}, {Form: "[EMERG]{}) : {message}", Fit: haproxyPlace}, {Form: "[WARNING]{}) : {message}", As: read.Warning, Fit: haproxyPlace},
		{Form: "[{}]{}) : {}", As: read.Skip},
	}, Below: read.Indented}.Parse})
})

// haproxyPlace takes the place from "config : parsing [haproxy.cfg:3] : text".
func haproxyPlace(f *result.Finding) {
	f.Message = strings.TrimPrefix(f.Message, "config : ")
	f.At = place.InSentence(f.Message)
	if _, why, told := strings.Cut(f.Message, "] : "); told && f.At != nil {
		f.Message = why
	}
}

var _ = Room.Add("stunnel | stunnel4", func(p *tool.Parser) {
	p.Is("stunnel", result.Infra, 1, "stunnel 5: a configuration that it does not take")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{
		{Form: "[!] Configuration failed", As: read.Close}, {Form: "[!] realpath: {}", As: read.More}, {Form: "[!] {path}:{line}: {message}"}, {Form: "[!] {message}"},
		{Form: "[.] {}", As: read.Skip}, {Form: "[ ] {}", As: read.Skip},
	}}.Parse)})
})

var _ = Room.Add("tor", func(p *tool.Parser) {
	p.Is("tor", result.Infra, 1, "tor 0.4: --verify-config, and what it logs when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{ // "Nov 22 23:31:12.058 [warn] text"
		{Form: "{} [err] {}see warnings above.", As: read.Close}, {Form: "{} [err] {message}", As: read.Error}, {Form: "{} [warn] {message}", As: read.Warning},
		{Form: "{} [notice] {}", As: read.Skip}, {Form: "{} [info] {}", As: read.Skip}, {Form: "{} [debug] {}", As: read.Skip},
	}, End: torEnd}.Parse)})
})

// torEnd makes the last warning an error, if that is why tor does not start.
func torEnd(s *read.Sink) {
	if n := len(s.Findings); n > 0 && s.Closed() {
		s.Findings[n-1].Severity = result.SevError
	}
}
