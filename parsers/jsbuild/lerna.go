package jsbuild

import (
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lerna", func() *tool.Parser {
	return &tool.Parser{
		Tool: "lerna", Kind: result.Build, Version: 1, Runner: true,
		About: "lerna 3 to 9: scripts that failed; from 6 on they are run by nx",
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"lerna ERR! ", "Lerna (powered by Nx)   "}, Named: true, Parse: parseNx},
		},
	}
})
