package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("depcruise | dependency-cruiser dependency-cruise", func(p *tool.Parser) {
	p.Is("dependency-cruiser", result.Lint, 1, "dependency-cruiser 9 to 17: err, err-long")
	p.Reads(tool.Format{Name: "text", Starts: []string{"✔ no dependency violations found (", "x … dependency violations (", "✘ … dependency violations ("}, Parse: read.Text{Line: cruiseLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"  ERROR: ", "ERROR: ", "error: "}, End: read.Misused}.Parse})
})

// cruiseLine reads "  error no-circular: src/b.js → ", the modules of the cycle below it, and the counts at the end.
func cruiseLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	rule, way, ok := strings.Cut(rest, ": ")
	severity := read.SeverityOf(word)
	switch {
	case ok && severity != "" && strings.HasPrefix(l.Text, "  ") && !strings.Contains(rule, " "):
		from, _, _ := strings.Cut(way, " →")
		return s.Find(l, result.Finding{Severity: severity, RawSeverity: word, Rule: rule, Message: strings.TrimSuffix(strings.TrimSpace(way), " →"), At: &result.Location{Path: from}})
	case strings.Contains(text, " dependency violations (") || strings.HasPrefix(text, "✔ no dependency violations found"):
		s.Claim(read.Counts(text)["errors"])
		return s.Close(l)
	case s.Last() != nil && strings.HasPrefix(l.Text, "      "):
		s.Last().Message += " → " + strings.TrimSuffix(text, " →")
		return s.More(l)
	case s.Last() != nil && text != "":
		return s.More(l)
	}
	return false
}
