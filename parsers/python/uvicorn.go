package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("uvicorn", func(p *tool.Parser) {
	p.Is("uvicorn", result.Infra, 1, "uvicorn 0.1x to 0.3x: what it logs when it does not start")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "log", Parse: read.IfFound(untraced(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{
		{Form: "Error: {message}", As: read.Misuse}, {Form: "ERROR:    {message}"}, {Form: "INFO:     {}", As: read.Skip},
	}}.Parse))})
})
