package language

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vsg", func(p *tool.Parser) {
	p.Is("vsg", result.Lint, 1, "VHDL Style Guide 3: its table")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "File:  {path}", As: read.InPath},
		{Form: "  {rule}  | {severity}  |  {line} | {message}"},
		{Form: "  {rule} | {severity}  |  {line} | {message}"},
		{Form: "Total Violations:  {}", As: read.Close},
	}}.Parse)})
})
