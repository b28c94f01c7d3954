package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ts-prune", func(p *tool.Parser) {
	p.Is("ts-prune", result.Lint, 1, "ts-prune 0.8 to 0.10: default")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: tsPruneLine}.Parse})
})

// tsPruneLine reads "src/lib.ts:2 - dead": an export that no other file imports, sometimes followed by
// "(used in module)".
func tsPruneLine(s *read.Sink, l tool.Line) bool {
	where, name, ok := strings.Cut(l.Text, " - ")
	at := read.PlaceOf(where)
	if !ok || at == nil || at.Line == 0 {
		return false
	}
	s.Find(l, result.Finding{Severity: result.SevWarning, Message: name, At: at})
	return s.Break()
}
