package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mdformat", func(p *tool.Parser) {
	p.Is("mdformat", result.Format, 1, "mdformat 0.7 to 1.0: --check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: `Error: File "{path}" {message}.`, Fit: func(f *result.Finding) { f.Rule, f.Fixable = "unformatted", true }},
		{Form: "Error: {message}", Fit: func(f *result.Finding) { f.At = place.InSentence(f.Message) }},
	}}.Parse})
	p.Reads(read.PythonTrouble("mdformat"))
})
