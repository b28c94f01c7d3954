package language

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("m4", func(p *tool.Parser) {
	p.Is("m4", result.Build, 1, "GNU m4 1.4: errors and warnings with their place")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Linter{Program: "m4", Kind: result.BuildError, Usage: []string{"m4: unrecognized option ", "m4: invalid option "}}.Parse)})
})
