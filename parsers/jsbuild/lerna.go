package jsbuild

import (
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lerna", func(p *tool.Parser) {
	p.Is("lerna", result.Build, 1, "lerna 3 to 9: scripts that failed; from 6 on they are run by nx")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"lerna ERR! ", "Lerna (powered by Nx)   "}, Named: true, Parse: parseNx})
})
