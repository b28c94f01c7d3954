package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("sarif", result.Lint, 1, "SARIF 2.1.0 (OASIS), of any analyzer")
	p.Reads(tool.Format{
		Name: "sarif", Evidence: tool.Shape,
		Starts: []string{`{"$schema":…sarif`, `"$schema":…sarif`, `{"version":"2.1.0"`, `"version": "2.1.0"`, `{"runs":[`, `"runs": [`},
		Parse:  read.SARIF(nil),
	})
})
