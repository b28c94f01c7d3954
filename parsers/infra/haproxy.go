package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("haproxy", func(p *tool.Parser) {
	p.Is("haproxy", result.Infra, 1, "haproxy -c, 2.x and 3.x, and what it says when it does not start")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[ALERT]…: config : "}, Named: true, Parse: read.Text{Line: haproxyLine}.Parse})
})

// haproxyLine reads "[ALERT] (17) : config : parsing [haproxy.cfg:3] : text". The last alert, which says only that
// there were errors, is no finding.
func haproxyLine(s *read.Sink, l tool.Line) bool {
	level, rest, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "]")
	severity := map[string]result.Severity{"ALERT": result.SevError, "EMERG": result.SevError, "WARNING": result.SevWarning}[level]
	_, message, pid := strings.Cut(rest, ") : ")
	switch {
	case l.Text == "Configuration file is valid":
		return s.Close(l)
	case s.Last() != nil && strings.HasPrefix(l.Text, "  "):
		return s.More(l)
	case !ok || !pid || !strings.HasPrefix(l.Text, "["):
		return false
	case severity == "", strings.Contains(message, "rror(s) found in configuration file"), strings.Contains(message, "Fatal errors found in configuration"):
		return s.Sign(l)
	}
	f := result.Finding{Kind: result.GenericFinding, Severity: severity, RawSeverity: strings.ToLower(level), Message: strings.TrimPrefix(message, "config : ")}
	if f.At = place.InSentence(f.Message); f.At != nil {
		if _, why, told := strings.Cut(f.Message, "] : "); told {
			f.Message = why
		}
	}
	return s.Find(l, f)
}
