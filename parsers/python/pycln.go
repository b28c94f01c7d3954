package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pycln", func(p *tool.Parser) {
	p.Is("pycln", result.Lint, 1, "pycln 1.x and 2.x: --check, files that do not parse")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 250: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "  {path}:{line}:{column} SyntaxError: {message} ⛔", Fit: func(f *result.Finding) { f.Rule = "SyntaxError" }},
		{Form: "  {path}:{line}:{column} {message}! 🔮", Fit: func(f *result.Finding) { f.Rule, f.Fixable = "unused-import", true }},
		{Form: "{message} 😴", As: read.Misuse}, // "No Path provided. Nothing to do"
		{Form: "{} would be removed! 🚀", As: read.Skip}, {Form: "All done! {}", As: read.Skip},
		{Form: "Oh no, there was an error! {}", As: read.Skip}, {Form: "{} left unchanged.", As: read.Skip},
	}}.Parse})
	p.Reads(read.PythonTrouble("pycln"))
})
