package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "yamllint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
	About:   "yamllint 1.26 to 1.37: standard, colored, parsable",
	Matches: tool.Runs("yamllint"), Programs: []string{"yamllint"},
	Exits: map[int]result.Meaning{255: result.MeansUsage},
	Formats: []tool.Format{
		{Name: "parsable", Parse: read.Linter{Rule: read.Parens, Accept: func(d *read.Diagnostic) bool { return d.Word != "" }}.Parse},
		{Name: "standard", Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens}}.Parse},
	},
})
