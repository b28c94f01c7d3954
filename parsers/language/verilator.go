package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("verilator", func(p *tool.Parser) {
	p.Is("verilator", result.Lint, 1, "verilator 4 and 5: --lint-only and builds")
	p.ColumnUnit = "char"
	lower := func(f *result.Finding) { f.RawSeverity = strings.ToLower(f.RawSeverity) }
	p.Reads(tool.Format{Name: "text", Starts: []string{"%Error: ", "%Warning-…: "}, Parse: read.Rows{Kind: result.BuildError, Below: read.Indented, Rows: []read.Row{
		{Form: "%Error: Exiting due to {}", As: read.Close}, {Form: "%Error: Command Failed {}", As: read.Skip}, {Form: "- Verilator:{}", As: read.Skip}, {Form: "- V e r i l a t i o n{}", As: read.Skip},
		{Form: "%{severity}-{rule}: {place} {message}", Fit: lower}, {Form: "%{severity}: {place} {message}", Fit: lower},
		{Form: "%{severity}-{rule}: {message}", Fit: lower}, {Form: "%{severity}: {message}", Fit: lower},
	}}.Parse})
})
