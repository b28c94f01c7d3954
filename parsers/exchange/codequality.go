package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("code-quality", result.Lint, 1, "issues as Code Climate specifies them and GitLab reads them")
	p.Reads(tool.Format{
		Name: "issues", Evidence: tool.Shape,
		Starts: []string{`[{"…"check_name":`, `{"…"check_name":`, `"check_name":`},
		Parse:  read.CodeQuality(nil),
	})
})
