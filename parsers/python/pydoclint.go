package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pydoclint", func(p *tool.Parser) {
	p.Is("pydoclint", result.Lint, 1, "pydoclint 0.3 and later: grouped by file, and the file in every line")
	code := func(f *result.Finding) { f.Rule = "DOC" + f.Rule }
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{line}: DOC{rule}: {message}", Fit: code},
		{Form: "    {line}: DOC{rule}: {message}", Fit: code},
		{Form: "Skipping files that match this pattern: {}", As: read.Skip},
		{Form: "🎉 No violations{}", As: read.Close},
		{Form: "{path}", As: read.InPath},
	}}.Parse})
	p.Reads(read.PythonTrouble("pydoclint"))
})
