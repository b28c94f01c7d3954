package exchange

import (
	"cairn/parsers/read/teamcity"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("teamcity", result.Test, 1, "TeamCity service messages: tests, inspections, problems of a build")
	p.Reads(tool.Format{Name: "messages", Evidence: tool.Shape, Starts: []string{"##teamcity["}, Parse: teamcity.Parse})
})
