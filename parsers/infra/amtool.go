package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("amtool", func(p *tool.Parser) {
	p.Is("amtool", result.Lint, 1, "amtool of Alertmanager 0.2x: check-config, and requests that fail")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "Checking '{path}'  FAILED: {}errors:", As: read.InPath}, {Form: "  line {line}: {message}"}, // one row for each error of YAML
		{Form: "Checking '{path}'  FAILED: {message}", Fit: func(f *result.Finding) { f.At.Line = yamlLine(f.Message) }}, {Form: "Checking '{}", As: read.Skip},
		{Form: "amtool: error: failed to validate {}", As: read.Close}, {Form: "amtool: error: {message}", Fit: func(f *result.Finding) { f.Kind = result.GenericFinding }},
	}}.Parse)})
})

// yamlLine returns the line in "yaml: line 3: did not find expected key", or 0.
func yamlLine(message string) int {
	_, rest, _ := strings.Cut(message, "yaml: line ")
	number, _, _ := strings.Cut(rest, ":")
	if !lex.IsDigits(number) || len(number) > 8 {
		return 0
	}
	return lex.Atoi(number)
}
