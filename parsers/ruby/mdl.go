package ruby

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mdl", func() *tool.Parser {
	return &tool.Parser{
		Tool: "mdl", Kind: result.Lint, Version: 1,
		About: "mdl (Ruby's markdownlint) 0.5 to 0.13: default, verbose, --json",
		Exits: map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "filename", Line: "line", Rule: "rule", URL: "docs", Message: "description"}.Parse},
			{Name: "text", Parse: read.Linter{Rule: read.First, Accept: read.RuleStarts("MD")}.Parse},
			{Name: "exception", Parse: parseRuby},
		},
	}
})
