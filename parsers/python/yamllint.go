package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yamllint", func(p *tool.Parser) {
	p.Is("yamllint", result.Lint, 1, "yamllint 1.26 to 1.37: standard, colored, parsable, github")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{-1: result.MeansUsage, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "parsable", Parse: read.Linter{Rule: read.Parens, Accept: func(d *read.Diagnostic) bool { return d.Word != "" && d.Rule != "" }}.Parse})
	p.Reads(tool.Format{Name: "standard", Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens, Ruled: true}, Usage: []string{"invalid config: ", "[Errno "}}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: read.WorkflowCommands(yamllintCommand)})
	p.Reads(read.PythonTrouble("yamllint"))
})

// yamllintCommand splits rule and message in "::error file=a.yml,line=5,col=22::5:22 [commas] text".
func yamllintCommand(f *result.Finding) bool {
	_, text, has := strings.Cut(f.Message, " [")
	if _, syntax, cut := strings.Cut(f.Message, " syntax error: "); cut {
		f.Rule, f.Message = "syntax", "syntax error: "+strings.TrimSuffix(syntax, " (syntax)")
		return true
	}
	f.Rule, f.Message, _ = strings.Cut(text, "] ")
	return has && f.Message != ""
}
