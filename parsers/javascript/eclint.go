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

// eclint reads a path, and below it pairs of lines: a message, and the EditorConfig property that was violated.
var eclint = read.Rows{
	Rows: []read.Row{
		{Form: "  {line}:{column} ❌ {message}"},
		{Form: "  (EditorConfig {rule} {}", As: read.Fill},
		{Form: "{path}", As: read.InPath},
	},
}
