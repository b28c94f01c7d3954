package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tombi", func(p *tool.Parser) {
	p.Is("tombi", result.Lint, 1, "tombi 0.x and 1: lint, format --check")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "  Info: {}", As: read.Skip},
		{Form: "  {severity}: \"{path}\" is not formatted", Fit: func(f *result.Finding) {
			f.Rule, f.Message, f.Fixable = "unformatted", `"`+f.At.Path+`" is not formatted`, true
		}},
		{Form: "  {severity}: {message}"},
		{Form: "    at {place}", As: read.Fill},
		{Form: "{} failed to be {}", As: read.Skip},
	}}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Usage: []string{"error: "}, Line: func(*read.Sink, tool.Line) bool { return false }}.Parse})
})
