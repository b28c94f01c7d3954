package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pymarkdown | pymarkdownlnt", func(p *tool.Parser) {
	p.Is("pymarkdown", result.Lint, 1, "pymarkdown 0.9: scan")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Colon, Accept: func(d *read.Diagnostic) bool {
		d.Message, _ = read.Parens.Cut(d.Message) // the rule's names stand at the end in brackets
		return strings.HasPrefix(d.Rule, "MD") || strings.HasPrefix(d.Rule, "PML")
	}, Usage: []string{"Provided path '", "Provided file path '", "No matching files found"}}.Parse})
	p.Reads(read.PythonTrouble("pymarkdown"))
})
