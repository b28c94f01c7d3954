package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kubectl oc", func() *tool.Parser {
	return &tool.Parser{
		Tool: "kubectl", Kind: result.Infra, Version: 1,
		Matches:  showsOwn("kubectl oc"),
		About:    "kubectl 1.x: errors of the client and of the server, klog lines folded",
		Programs: []string{"kubectl"},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors: []string{"error: ", "Error: ", "error when ", "The connection to the server "}, Warnings: []string{"Warning: "}, Other: kubectlLine,
		}.Parse}},
	}
})

// kubectlLine reads "Error from server (NotFound): text"; klog lines, which repeat
// what the last line says, are the tool's and no finding.
func kubectlLine(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "Error from server"); ok {
		reason, message, _ := strings.Cut(strings.TrimPrefix(rest, " "), ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.Trim(reason, "()"), Message: message})
		return true
	}
	if strings.HasPrefix(l.Text, "The ") && strings.Contains(l.Text, " is invalid: ") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "Invalid", Message: l.Text})
		return true
	}
	return len(l.Text) > 20 && l.Text[0] == 'E' && strings.Contains(l.Text, ".go:") && strings.Contains(l.Text, "] ")
}
