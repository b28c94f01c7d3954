package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Daemons whose check of a configuration is a log.

var _ = Room.Add("nsd-checkzone", func() *tool.Parser {
	return &tool.Parser{
		Tool: "nsd-checkzone", Kind: result.Infra, Version: 1,
		About: "nsd-checkzone 4: what is wrong in a zone",

		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: nsdLine}.Parse)}},
	}
})

// nsdLine reads "[2026-11-22 23:31:11.269] nsd-checkzone[24773]: error: z.zone:4: text"
// and "zone x.org file z.zone has 5 errors", which closes it.
func nsdLine(s *read.Sink, l tool.Line) bool {
	if words := strings.Fields(l.Text); len(words) == 7 && words[0] == "zone" && words[2] == "file" && lex.IsDigits(words[5]) {
		s.Claim(lex.Atoi(words[5]))
		s.Close(l)
		return true
	}
	_, said, ok := strings.Cut(l.Text, "] nsd-checkzone[")
	_, said, told := strings.Cut(said, "]: ")
	word, message := read.CutSeverity(said)
	if !ok || !told || word == "" {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
	if path, rest, _ := strings.Cut(message, ":"); !strings.Contains(path, " ") {
		if line, text, placed := strings.Cut(rest, ": "); placed && lex.IsDigits(line) {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, text
		}
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add("tor", func() *tool.Parser {
	return &tool.Parser{
		Tool: "tor", Kind: result.Infra, Version: 1,
		About: "tor 0.4: --verify-config, and what it logs when it does not start",

		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: torLine}.Parse)}},
	}
})

// torLine reads "Nov 22 23:31:12.058 [warn] text". An error that points to the
// warnings above it says that they are errors.
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

var _ = Room.Add("stunnel stunnel4", func() *tool.Parser {
	return &tool.Parser{
		Tool: "stunnel", Kind: result.Infra, Version: 1,
		About:    "stunnel 5: a configuration that it does not take",
		Programs: []string{"stunnel"},
		Formats:  []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: stunnelLine}.Parse)}},
	}
})

// stunnelLine reads "[!] /etc/st.conf:3: text"; "[.]" and "[ ]" inform.
func stunnelLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "[!] ")
	switch {
	case !ok:
		return strings.HasPrefix(l.Text, "[.] ") || strings.HasPrefix(l.Text, "[ ] ")
	case message == "Configuration failed" && len(s.Findings) > 0:
		s.Close(l)
		return true
	case strings.HasPrefix(message, "realpath: ") && s.Last() != nil:
		s.More(l)
		return true
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if d, placed := read.CutDiagnostic(message); placed {
		f.At, f.Message = &d.At, d.Message
	}
	s.Find(l, f)
	return true
}
