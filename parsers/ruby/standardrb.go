package ruby

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("standardrb", func(p *tool.Parser) {
	p.Is("standardrb", result.Lint, 1, "Standard Ruby 1: its own format, and RuboCop's")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "standard", Parse: read.Rows{Rows: []read.Row{
		{Form: "  {path}:{line}:{column}: {rule}: {message}", As: read.Warning}, {Form: "standard: {}", As: read.Skip},
	}}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: rubocopJSON})
})
