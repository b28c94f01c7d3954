package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("eclint", func(p *tool.Parser) {
	p.Is("eclint", result.Lint, 1, "eclint 2: check")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(eclint.Parse)})
})

// eclint prints a path, and below it what is wrong with the property in the line behind it.
var eclint = read.Rows{
	Rows: []read.Row{
		{Form: "  {line}:{column} ❌ {message}"},
		{Form: "  (EditorConfig {rule} {}", As: read.Fill},
		{Form: "{path}", As: read.InPath},
	},
}
