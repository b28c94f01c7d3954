package infra

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tor", func(p *tool.Parser) {
	p.Is("tor", result.Infra, 1, "tor 0.4: --verify-config, and what it logs when it does not start")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{ // "Nov 22 23:31:12.058 [warn] text"
		{Form: "{} [err] {}see warnings above.", As: read.Close}, {Form: "{} [err] {message}", As: read.Error}, {Form: "{} [warn] {message}", As: read.Warning},
		{Form: "{} [notice] {}", As: read.Skip}, {Form: "{} [info] {}", As: read.Skip}, {Form: "{} [debug] {}", As: read.Skip},
	}, End: torEnd}.Parse)})
})

// torEnd makes the last warning an error, if that is why tor does not start.
func torEnd(s *read.Sink) {
	if n := len(s.Findings); n > 0 && s.Closed() {
		s.Findings[n-1].Severity = result.SevError
	}
}
