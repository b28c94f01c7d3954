package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("slotscheck", func(p *tool.Parser) {
	p.Is("slotscheck", result.Lint, 1, "slotscheck 0.1x: default and verbose")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // {id} is a module and its class, "shop:Item"
		{Form: "ERROR: '{id}' {message}"},
		{Form: "ERROR: {message}", As: read.Misuse},
		{Form: "Oh no, found some problems!", As: read.Skip},
		{Form: "All OK!{}", As: read.Skip},
		{Form: "Scanned {}", As: read.Skip},
	}, Below: read.Indented}.Parse})
	p.Reads(read.PythonTrouble("slotscheck"))
})
