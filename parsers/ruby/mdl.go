package ruby

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mdl", func(p *tool.Parser) {
	p.Is("mdl", result.Lint, 1, "mdl (Ruby's markdownlint) 0.5 to 0.13: default, verbose, --json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "filename", Line: "line", Rule: "rule", URL: "docs", Message: "description"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Accept: read.RuleStarts("MD")}.Parse})
	p.Reads(tool.Format{Name: "exception", Parse: parseRuby})
})
