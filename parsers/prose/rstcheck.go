package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rstcheck", func(p *tool.Parser) {
	p.Is("rstcheck", result.Lint, 1, "rstcheck 3 to 6")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // docutils prints the severity's number, too
		{Form: "{path}:{line}: ({severity}/{}) {message}"},
		{Form: "WARNING:rstcheck_core.{}:{message}", As: read.Misuse},
		{Form: "Success! No issues detected.{}", As: read.Skip},
		{Form: "Error! Issues detected.{}", As: read.Skip},
	}}.Parse})
	p.Reads(read.PythonTrouble("rstcheck"))
})
