package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
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
