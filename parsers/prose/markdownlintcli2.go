package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("markdownlint-cli2", func() *tool.Parser {
	return &tool.Parser{
		Tool: "markdownlint-cli2", Kind: result.Lint, Version: 1, ColumnUnit: "utf16",
		About: "markdownlint-cli2 0.x: default, json and template formatters",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: markdownlintJSON},
			{Name: "template", Parse: read.Pairs},
			{Name: "text", Starts: []string{"markdownlint-cli2 v"}, Parse: markdownlintText.Parse},
		},
	}
})
