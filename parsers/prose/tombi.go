package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tombi", func(p *tool.Parser) {
	p.Is("tombi", result.Lint, 1, "tombi 0.x and 1: lint, format --check")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: tombiLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Usage: []string{"error: "}, Line: func(*read.Sink, tool.Line) bool { return false }}.Parse})
})

// tombiLine reads what is wrong, and where in the line below:
//
//	Error: expected ']'
//	  at bad.toml:3:3
//	Error: "fmt.toml" is not formatted
func tombiLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if where, ok := strings.CutPrefix(text, "at "); ok && s.Open() && s.Last() != nil {
		s.Last().At = place.LastColons(where)
		s.More(l)
		return s.Break()
	}
	word, message, ok := strings.Cut(text, ": ")
	if severity := read.SeverityOf(word); !ok || severity == "" || severity == result.SevInfo || !strings.HasPrefix(l.Text, " ") {
		return strings.Contains(text, " failed to be ")
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	if path, quoted := strings.CutSuffix(strings.TrimPrefix(message, `"`), `" is not formatted`); quoted {
		f.Rule, f.At, f.Fixable = "unformatted", &result.Location{Path: path}, true
	}
	return s.Find(l, f)
}
