package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("markdownlint-cli2", func(p *tool.Parser) {
	p.Is("markdownlint-cli2", result.Lint, 1, "markdownlint-cli2 0.x: default, json and template formatters")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: markdownlintJSON})
	p.Reads(tool.Format{Name: "template", Parse: read.Pairs})
	p.Reads(tool.Format{Name: "text", Starts: []string{"markdownlint-cli2 v"}, Parse: markdownlintText.Parse})
})
