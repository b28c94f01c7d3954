package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
