package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("psalm | psalm.phar", func(p *tool.Parser) {
	p.Is("psalm", result.Typecheck, 1, "Psalm 4 to 6: console; from its documentation")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansFindings}
	p.Reads(tool.Format{Name: "console", Parse: read.Text{Line: psalmLine, End: read.Unseen}.Parse})
})

// psalmLine reads "ERROR: UndefinedVariable - src/a.php:3:7 - text (see https://…)".
func psalmLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, ": ")
	rule, rest, ok := strings.Cut(rest, " - ")
	at, message, placed := place.Cut(rest)
	if !ok || !placed || read.SeverityOf(word) == "" || strings.Contains(rule, " ") {
		return s.Last() != nil && strings.HasPrefix(l.Text, "  ")
	}
	message, url, _ := strings.Cut(message, " (see ")
	return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, RuleURL: strings.TrimSuffix(url, ")"), Message: message, At: &at})
}
