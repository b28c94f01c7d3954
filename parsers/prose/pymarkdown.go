package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pymarkdown pymarkdownlnt", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pymarkdown", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:    "pymarkdown 0.9: scan",
		Programs: []string{"pymarkdown"},
		Exits:    map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Rule: read.Colon, Accept: func(d *read.Diagnostic) bool {
			d.Message, _ = read.Parens.Cut(d.Message) // the names of the rule
			return strings.HasPrefix(d.Rule, "MD") || strings.HasPrefix(d.Rule, "PML")
		}, Usage: []string{"Provided path '", "Provided file path '", "No matching files found"}}.Parse}, read.PythonTrouble("pymarkdown")},
	}
})
