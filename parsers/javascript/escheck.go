package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("es-check", func(p *tool.Parser) {
	p.Is("es-check", result.Lint, 1, "es-check 5 to 9: files that are not of the version of ECMAScript")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{
		Rows: []read.Row{
			{Form: "  · erroring file: {} at {place}", As: read.Error},
			{Form: "  · erroring file: {path}", As: read.Error},
			{Form: "  · error: {rule}: {message} ({})", As: read.Fill},
			{Form: "error: ES-Check: there were {#error} ES version matching errors.", As: read.Close},
			{Form: "  ES-Check Error:", As: read.Skip},
		},
		Below: read.Indented,
	}.Parse})
})
