package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("slotscheck", func(p *tool.Parser) {
	p.Is("slotscheck", result.Lint, 1, "slotscheck 0.1x: default and verbose")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: slotsLine}.Parse})
	p.Reads(read.PythonTrouble("slotscheck"))
})

// slotsLine reads "ERROR: 'slots:B' defines slots but superclass does not.", where
// the name is a module and a class in it.
func slotsLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR: ")
	parts := strings.Split(message, "'")
	switch {
	case ok && len(parts) >= 3 && parts[0] == "" && strings.Contains(parts[1], ":"):
		return s.Find(l, result.Finding{ID: parts[1], Message: strings.TrimSpace(strings.Join(parts[2:], "'"))})
	case ok:
		return s.Misuse(l, message)
	case s.Last() != nil && lex.LeadingBlanks(l.Text) > 0:
		return s.More(l)
	case l.Text == "Oh no, found some problems!", strings.HasPrefix(l.Text, "All OK!"), strings.HasPrefix(l.Text, "Scanned "):
		s.Sign(l)
		return s.Break()
	}
	return false
}
