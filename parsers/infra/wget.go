package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("wget", func(p *tool.Parser) {
	p.Is("wget", result.Generic, 1, "GNU wget 1.x: what it says of a transfer that failed")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{Errors: []string{"wget: ", "ERROR: "}, Other: wgetLine}.Parse})
})

// wgetLine reads "2026-11-22 10:00:00 ERROR 404: Not Found." and failed connections.
func wgetLine(s *read.Sink, l tool.Line) bool {
	if _, what, ok := strings.Cut(l.Text, " ERROR "); ok && strings.HasPrefix(l.Text, "20") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: "ERROR " + what})
	}
	if strings.Contains(l.Text, "... failed: ") || strings.HasSuffix(l.Text, ": Name or service not known") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	}
	return false
}
