package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// dotenv-linter prints ".env:2 LowercaseKey: The foo key should be in uppercase".
var _ = Room.Add("dotenv-linter", func(p *tool.Parser) {
	p.Is("dotenv-linter", result.Lint, 1, "dotenv-linter 2 to 4: check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Plain: true, Usage: []string{"error: "}, Other: dotenvOther}.Parse})
})

func dotenvOther(s *read.Sink, l tool.Line) bool {
	count, found := strings.CutPrefix(l.Text, "Found ")
	if found && strings.Contains(count, " problem") {
		s.Problems(lex.LeadingNumber(count))
		return s.Close(l)
	}
	return strings.HasPrefix(l.Text, "Checking ")
}
