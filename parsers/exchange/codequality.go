package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "code-quality", Kind: result.Lint, Version: 1,
		About: "issues as Code Climate specifies them and GitLab reads them",
		Formats: []tool.Format{{
			Name: "issues", Evidence: tool.Shape,
			Starts: []string{`[{"…"check_name":`, `{"…"check_name":`, `"check_name":`},
			Parse:  read.CodeQuality(nil),
		}},
	}
})
