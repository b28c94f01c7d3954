package exchange

import (
	"cairn/parsers/read/teamcity"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "teamcity", Kind: result.Test, Version: 1,
		About:   "TeamCity service messages: tests, inspections, problems of a build",
		Formats: []tool.Format{{Name: "messages", Evidence: tool.Shape, Starts: []string{"##teamcity["}, Parse: teamcity.Parse}},
	}
})
