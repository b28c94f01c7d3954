package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yamllint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "yamllint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "yamllint 1.26 to 1.37: standard, colored, parsable, github",
		Exits: map[int]result.Meaning{-1: result.MeansUsage, 255: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "parsable", Parse: read.Linter{Rule: read.Parens, Accept: func(d *read.Diagnostic) bool { return d.Word != "" && d.Rule != "" }}.Parse},
			{Name: "standard", Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens, Ruled: true}, Usage: []string{"invalid config: ", "[Errno "}}.Parse},
			{Name: "github", Parse: read.WorkflowCommands(yamllintCommand)},
			read.PythonTrouble("yamllint"),
		},
	}
})

// yamllintCommand takes the rule off the message of "::error file=a.yml,line=5,col=22::5:22 [commas] text".
func yamllintCommand(f *result.Finding) bool {
	_, text, has := strings.Cut(f.Message, " [")
	if _, syntax, cut := strings.Cut(f.Message, " syntax error: "); cut {
		f.Rule, f.Message = "syntax", "syntax error: "+strings.TrimSuffix(syntax, " (syntax)")
		return true
	}
	f.Rule, f.Message, _ = strings.Cut(text, "] ")
	return has && f.Message != ""
}
