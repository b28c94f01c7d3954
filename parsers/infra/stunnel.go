package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("stunnel | stunnel4", func(p *tool.Parser) {
	p.Is("stunnel", result.Infra, 1, "stunnel 5: a configuration that it does not take")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: stunnelLine}.Parse)})
})

// stunnelLine reads "[!] /etc/st.conf:3: text". Lines with "[.]" or "[ ]" are information.
func stunnelLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "[!] ")
	switch {
	case !ok:
		return strings.HasPrefix(l.Text, "[.] ") || strings.HasPrefix(l.Text, "[ ] ")
	case message == "Configuration failed" && len(s.Findings) > 0:
		return s.Close(l)
	case strings.HasPrefix(message, "realpath: ") && s.Last() != nil:
		return s.More(l)
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if d, placed := read.CutDiagnostic(message); placed {
		f.At, f.Message = &d.At, d.Message
	}
	return s.Find(l, f)
}
