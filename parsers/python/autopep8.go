package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autopep8", func(p *tool.Parser) {
	p.Is("autopep8", result.Format, 1, "autopep8 1.x and 2.x: --diff --exit-code")
	p.Exits = map[int]result.Meaning{99: result.MeansUsage}
	p.Reads(tool.Format{Name: "diff", Parse: read.Patch{Says: unformatted, Other: notThere}.Parse})
	p.Reads(read.PythonTrouble("autopep8"))
})
