package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("detekt | detekt-cli detekt-cli.jar io.gitlab.arturbosch.detekt.cli.Main", func(p *tool.Parser) {
	p.Is("detekt", result.Lint, 1, "detekt 1.20 to 2.0: the console's report")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Other: detektSays,
		Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse})
})

// detektSays reads "Analysis failed with 9 weighted issues." and its refusals.
func detektSays(s *read.Sink, l tool.Line) bool {
	switch {
	case strings.HasPrefix(l.Text, "Analysis failed with "), strings.HasPrefix(l.Text, "Analysis completed"):
		return s.Close(l)
	case lex.HasAnyPrefix(l.Text, "Unknown option", "Input path does not exist", "Provided path "):
		return s.Misuse(l, l.Text)
	}
	return false
}
