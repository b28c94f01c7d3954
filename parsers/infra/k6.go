package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("k6", func(p *tool.Parser) {
	p.Is("k6", result.Test, 1, "k6 1: checks and thresholds that failed, errors of its log")
	p.Exits = map[int]result.Meaning{99: result.MeansFindings, 104: result.MeansUsage, 107: result.MeansFindings, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"  █ TOTAL RESULTS", "  █ THRESHOLDS"}, Named: true, Parse: read.Lines((*k6).line)})
})

// k6 reads the failed checks and thresholds in the closing lists, marked with "✗". A metric's name stands above its
// thresholds, a check's rate below the check.
type k6 struct{ above string }

func (k *k6) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	name, failed := strings.CutPrefix(text, "✗ ")
	_, said, logged := strings.Cut(text, `level=error msg="`)
	switch {
	case failed:
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: "failed"}
		if name[:min(1, len(name))] == "'" {
			f.ID, f.Message = k.above, name
		}
		return s.Find(l, f)
	case strings.HasPrefix(text, "↳ ") && s.Last() != nil:
		s.Last().Message = lex.OnOneLine(text[len("↳ "):])
		return s.More(l)
	case logged && strings.HasPrefix(said, "thresholds on metrics "), strings.HasPrefix(text, "running ("):
		return s.Close(l)
	case logged:
		message, stack, _ := strings.Cut(strings.ReplaceAll(strings.TrimRight(said, `"`), `\"`, `"`), `\n`)
		_, spot, _ := strings.Cut(stack, "(file://")
		spot, _, _ = strings.Cut(spot, "(") // "a.js:3:5(4)"
		return s.Find(l, result.Finding{Kind: result.Panic, Message: message, At: read.PlaceOf(spot)})
	}
	k.above = strings.Clone(text)
	s.Break()
	return text == "" || l.Text[0] == ' ' || strings.Contains(text, " level=") // other lines belong to other programs
}
