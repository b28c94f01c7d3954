package jsbuild

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("asc", func(p *tool.Parser) {
	p.Is("assemblyscript", result.Build, 1, "asc 0.9 to 0.28")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR TS", "ERROR AS"}, Parse: asc.Parse})
})

// asc reads an error, the source below it, and the place below the source.
var asc = read.Rows{
	Kind: result.BuildError,
	Rows: []read.Row{
		{Form: "ERROR {rule}: {message}", As: read.Error},
		{Form: "WARNING {rule}: {message}", As: read.Warning},
		{Form: "  └─ in {place}", As: read.Fill},
		{Form: "FAILURE {#error} {} error(s)", As: read.Close},
	},
	Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" },
}
