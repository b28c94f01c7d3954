package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Servers that check their configuration in words of their own.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "lighttpd", Kind: result.Infra, Version: 1,
		About:   "lighttpd 1.4: -t, -tt, and what it says when it does not start",
		Matches: tool.Runs("lighttpd"), Programs: []string{"lighttpd"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: lighttpdLine}.Parse)}},
	}
})

// lighttpdLine reads "2026-11-22 19:44:34: (configfile.c.1878) source: lt.conf line: 4
// pos: 6 text".
func lighttpdLine(s *read.Sink, l tool.Line) bool {
	_, rest, ok := strings.Cut(l.Text, ": (")
	_, message, inside := strings.Cut(rest, ") ")
	if !ok || !inside || !strings.Contains(rest, ".c.") {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if where, ok := strings.CutPrefix(message, "source: "); ok {
		path, behind, _ := strings.Cut(where, " line: ")
		line, behind, _ := strings.Cut(behind, " pos: ")
		column, text, placed := strings.Cut(behind, " ")
		if placed && lex.IsDigits(line) && lex.IsDigits(column) {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, text
		}
	}
	if len(s.Findings) == 0 || !strings.HasPrefix(message, "configfile parser failed at: ") {
		s.Find(l, f)
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "varnishd", Kind: result.Infra, Version: 1,
		About:   "varnishd 6 and 7: VCL that does not compile, arguments that are wrong",
		Matches: tool.Runs("varnishd"), Programs: []string{"varnishd"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(func(in *tool.Input) *tool.Report {
			return read.Text{Line: (&vcl{}).line}.Parse(in)
		})}},
	}
})

// vcl reads what the compiler says, and the first place below it:
//
//	Message from VCC-compiler:
//	Expected ';' got '.'
//	(program line 411), at
//	('/etc/varnish/default.vcl' Line 2 Pos 39)
type vcl struct{ head bool }

func (v *vcl) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case l.Text == "Message from VCC-compiler:":
		v.head = true
		return true
	case v.head:
		v.head = false
		s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
		return true
	case strings.HasPrefix(l.Text, "Running VCC-compiler failed"), l.Text == "VCL compilation failed":
		s.Break()
		return len(s.Findings) > 0
	case strings.HasPrefix(l.Text, "Error: "), strings.HasPrefix(l.Text, "varnishd: "):
		_, message, _ := strings.Cut(l.Text, ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Meaning = result.MeansUsage
		return true
	case f == nil:
		return false
	}
	_, where, ok := strings.Cut(l.Text, "('")
	path, where, quoted := strings.Cut(where, "' Line ")
	if line, column, told := strings.Cut(where, " Pos "); ok && quoted && told && f.At == nil {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
	}
	s.More(l)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "redis-server", Kind: result.Infra, Version: 1,
		About:   "redis-server and valkey-server: a configuration that is refused",
		Matches: tool.Runs("redis-server", "valkey-server"), Programs: []string{"redis-server"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: redisLine, End: redisPlace}.Parse)}},
	}
})

// redisLine reads what is wrong with a line of the configuration, which the command
// names, and an error of the log: "17568:C 22 Nov 2026 19:44:41.931 # Fatal error, text".
func redisLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if _, message, ok := strings.Cut(l.Text, " # Fatal error, "); ok {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		return true
	}
	switch {
	case strings.HasPrefix(l.Text, "*** FATAL CONFIG FILE ERROR "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	case f == nil || l.Text == "":
		return false
	case strings.HasPrefix(l.Text, "Reading the configuration file, at line "):
		f.At = &result.Location{Line: lex.LeadingNumber(l.Text[len("Reading the configuration file, at line "):])}
		s.More(l)
	case strings.HasPrefix(l.Text, ">>> "):
		f.Actual = l.Text[4:]
		s.More(l)
	case f.At != nil:
		f.Message = l.Text
		s.More(l)
		s.Break()
	}
	return true
}

func redisPlace(s *read.Sink) {
	args := slices.DeleteFunc(slices.Clone(s.In.Command().Argv), func(a string) bool { return strings.HasPrefix(a, "-") || !strings.Contains(a, ".") })
	for i := range s.Findings {
		if f := &s.Findings[i]; f.At != nil && len(args) == 1 {
			f.At.Path = args[0]
		} else {
			f.At = nil
		}
	}
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "redis-cli", Kind: result.Generic, Version: 1,
		About:   "redis-cli and valkey-cli: no server, and commands that it refused",
		Matches: tool.Runs("redis-cli", "valkey-cli"), Programs: []string{"redis-cli"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Said{
			Errors: []string{"(error) "}, Usage: []string{"Unrecognized option or bad number of args"}, Fill: fillRedis,
			Whole: []string{"ERR ", "WRONGTYPE ", "NOAUTH ", "NOPERM ", "WRONGPASS ", "READONLY ", "MOVED ", "OOM ", "NOSCRIPT ", "Could not connect to Redis at ", "Could not connect to Valkey at "},
		}.Parse)}},
	}
})

// fillRedis takes the code that an error begins with for a rule.
func fillRedis(f *result.Finding) {
	if code, message, ok := strings.Cut(f.Message, " "); ok && code == strings.ToUpper(code) {
		f.Rule, f.Message = code, message
	}
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "bind", Kind: result.Infra, Version: 1,
		About:   "named-checkzone, named-checkconf of BIND 9: what is wrong with a zone",
		Matches: tool.Runs("named-checkzone", "named-checkconf", "named-compilezone"), Programs: []string{"named-checkzone", "named-checkconf"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: zoneLine, End: zoneEnd}.Parse)}},
	}
})

// zoneLine reads "dns_rdata_fromtext: a.zone:4: near '300.1.2.3': bad dotted quad", and
// what is said of a zone as a whole.
func zoneLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimPrefix(l.Text, "dns_rdata_fromtext: ")
	text = strings.TrimPrefix(text, "dns_master_load: ")
	if at, message, ok := place.Cut(text); ok && message != "" {
		word, rest := read.CutSeverity(message)
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: rest, At: &at})
		return true
	}
	zone, message, ok := strings.Cut(text, ": ")
	switch {
	case !ok || !strings.HasPrefix(zone, "zone ") && !strings.HasPrefix(zone, "open: "):
		return false
	case strings.HasPrefix(message, "not loaded due to errors"), strings.HasPrefix(message, "loaded serial "):
		return true
	}
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	return true
}

// zoneEnd leaves out that loading failed where the lines above say why.
func zoneEnd(s *read.Sink) {
	if placed := slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.At != nil }); placed {
		s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "loading from master file ") })
	}
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "caddy", Kind: result.Infra, Version: 1,
		About:   "caddy 2: a Caddyfile or a configuration that is refused",
		Matches: tool.Runs("caddy"), Programs: []string{"caddy"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Said{Errors: []string{"Error: "}, Fill: fillCaddy, End: caddyUsage}.Parse)}},
	}
})

// fillCaddy takes "adapting config using caddyfile: Caddyfile:2: " off a message.
func fillCaddy(f *result.Finding) {
	text := strings.TrimPrefix(f.Message, "adapting config using caddyfile: ")
	path, rest, _ := strings.Cut(text, ":")
	line, message, ok := strings.Cut(strings.Replace(rest, " - ", ": ", 1), ": ")
	if ok && lex.IsDigits(line) && !strings.Contains(path, " ") {
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, message
	}
}

func caddyUsage(s *read.Sink) {
	for _, f := range s.Findings {
		if strings.HasPrefix(f.Message, "unknown command ") || strings.HasPrefix(f.Message, "unknown flag: ") {
			s.Meaning = result.MeansUsage
		}
	}
}
