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

var _ = Room.Add("named-checkzone named-checkconf | named-compilezone", func(p *tool.Parser) {
	p.Is("bind", result.Infra, 1, "named-checkzone, named-checkconf of BIND 9: what is wrong with a zone")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: zoneLine, End: zoneEnd}.Parse)})
})

// zoneLine reads "dns_rdata_fromtext: a.zone:4: near '300.1.2.3': bad dotted quad", and messages about a whole zone.
func zoneLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimPrefix(l.Text, "dns_rdata_fromtext: ")
	text = strings.TrimPrefix(text, "dns_master_load: ")
	if at, message, ok := place.Cut(text); ok && message != "" {
		word, rest := read.CutSeverity(message)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: rest, At: &at})
	}
	zone, message, ok := strings.Cut(text, ": ")
	switch {
	case !ok || !strings.HasPrefix(zone, "zone ") && !strings.HasPrefix(zone, "open: "):
		return false
	case strings.HasPrefix(message, "not loaded due to errors"), strings.HasPrefix(message, "loaded serial "):
		return true
	}
	return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
}

// zoneEnd removes "loading from master file …" if another finding has a place: that finding is the reason.
func zoneEnd(s *read.Sink) {
	if placed := slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.At != nil }); placed {
		s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "loading from master file ") })
	}
}

var _ = Room.Add("nsd-checkzone", func(p *tool.Parser) {
	p.Is("nsd-checkzone", result.Infra, 1, "nsd-checkzone 4: what is wrong in a zone")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "[{}] nsd-checkzone[{}]: {severity}: {path}:{line}: {message}"}, {Form: "[{}] nsd-checkzone[{}]: {severity}: {message}"},
		{Form: "zone {} file {} has {} errors", As: read.Close},
	}}.Parse)})
})

var _ = Room.Add("redis-server | valkey-server", func(p *tool.Parser) {
	p.Is("redis-server", result.Infra, 1, "redis-server and valkey-server: a configuration that is refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: redisLine, End: redisPlace}.Parse)})
})

// redisLine reads an error in the configuration file, which the command names, and an error in the log: "17568:C 22
// Nov 2026 19:44:41.931 # Fatal error, text".
func redisLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if _, message, ok := strings.Cut(l.Text, " # Fatal error, "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
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

var _ = Room.Add("redis-cli | valkey-cli", func(p *tool.Parser) {
	p.Is("redis-cli", result.Generic, 1, "redis-cli and valkey-cli: no server, and commands that it refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"(error) "}, Usage: []string{"Unrecognized option or bad number of args"}, Fill: fillRedis,
		Whole: []string{"ERR ", "WRONGTYPE ", "NOAUTH ", "NOPERM ", "WRONGPASS ", "READONLY ", "MOVED ", "OOM ", "NOSCRIPT ", "Could not connect to Redis at ", "Could not connect to Valkey at "},
	}.Parse)})
})

// fillRedis makes the code at the start of an error, "WRONGTYPE Operation against …", the rule.
func fillRedis(f *result.Finding) {
	if code, message, ok := strings.Cut(f.Message, " "); ok && code == strings.ToUpper(code) {
		f.Rule, f.Message = code, message
	}
}

// ssh exits with 255 if ssh itself failed, and otherwise with the remote command's exit code.
var _ = Room.Add("ssh", func(p *tool.Parser) {
	p.Is("ssh", result.Generic, 1, "ssh of OpenSSH: connections that fail, its options and files")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: sshLine}.Parse)})
})

// sshLine reads ssh's own errors, and leaves the remote command's output to other readers:
//
//	ssh: connect to host db port 22: Connection refused
//	dev@db: Permission denied (publickey).
//	/home/dev/.ssh/config: line 3: Bad configuration option: hots
func sshLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, "\r ")
	from, what, _ := strings.Cut(text, ": ")
	f := result.Finding{Kind: result.GenericFinding, Message: text}
	n, bad, inFile := strings.Cut(strings.TrimPrefix(what, "line "), ": ")
	switch {
	case from == "ssh" && what != "":
		f.Message = what
	case lex.HasAnyPrefix(text, "Host key verification failed", "Can't open user config file ", "kex_exchange_identification: ", "Bad port '", "unknown option -- ", "Connection closed by ", "Connection reset by "):
	case strings.HasPrefix(what, "Permission denied (") && strings.HasSuffix(text, ")."):
	case inFile && strings.HasPrefix(bad, "Bad configuration option: ") && lex.IsDigits(n) && len(n) < 8:
		if s.Meaning, f.Message = result.MeansUsage, bad; from != "command-line" {
			f.At = &result.Location{Path: from, Line: lex.Atoi(n)}
		}
	default:
		return false
	}
	return s.Find(l, f)
}

var _ = Room.Add("systemctl", func(p *tool.Parser) {
	p.Is("systemctl", result.Infra, 1, "systemctl of systemd 245 to 257: units that are not there or do not start, no systemd")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Whole: []string{
			"Failed to ", "System has not been booted with systemd", "Job for ", "A dependency job for ", "Interactive authentication required",
		},
		Usage: []string{"Unknown command verb ", "Unknown operation ", "systemctl: unrecognized option ", "systemctl: invalid option ", "Too few arguments", "Too many arguments"},
		Notes: []string{"See "}, Other: func(s *read.Sink, l tool.Line) bool {
			return missingUnit(l.Text) && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
		},
	}.Parse)})
})

// missingUnit recognizes "Unit nope.service not found."
func missingUnit(text string) bool {
	unit, why, _ := strings.Cut(strings.TrimPrefix(text, "Unit "), " ")
	return unit != text && lex.IsOneOf(strings.ReplaceAll(why, " ", "-"), "not-found. could-not-be-found. not-loaded. is-masked. has-a-bad-unit-file-setting.")
}

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
	case missingUnit(l.Text):
	default:
		return false
	}
	return s.Find(l, f)
}

var _ = Room.Add("varnishd", func(p *tool.Parser) {
	p.Is("varnishd", result.Infra, 1, "varnishd 6 and 7: VCL that does not compile, arguments that are wrong")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*vcl).line))})
})

// vcl reads an error of the VCL compiler, and the first place below it:
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
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	case strings.HasPrefix(l.Text, "Running VCC-compiler failed"), l.Text == "VCL compilation failed":
		s.Break()
		return len(s.Findings) > 0
	case strings.HasPrefix(l.Text, "Error: "), strings.HasPrefix(l.Text, "varnishd: "):
		_, message, _ := strings.Cut(l.Text, ": ")
		return s.Misuse(l, message)
	case f == nil:
		return false
	}
	_, where, ok := strings.Cut(l.Text, "('")
	path, where, quoted := strings.Cut(where, "' Line ")
	if line, column, told := strings.Cut(where, " Pos "); ok && quoted && told && f.At == nil {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
	}
	return s.More(l)
}
