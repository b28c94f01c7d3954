package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "sarif", Kind: result.Lint, Version: 1,
		About: "SARIF 2.1.0 (OASIS), of any analyzer",
		Formats: []tool.Format{{
			Name: "sarif", Evidence: tool.Shape,
			Starts: []string{`{"$schema":…sarif`, `"$schema":…sarif`, `{"version":"2.1.0"`, `"version": "2.1.0"`, `{"runs":[`, `"runs": [`},
			Parse:  read.SARIF(nil),
		}},
	}
})
