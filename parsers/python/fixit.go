package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// fixit prints a finding in one line, and with --diff the fix below it:
//
//	src/a.py@7:7 CompareSingletonPrimitivesByIs: text (has autofix)
var _ = Room.Add("fixit", func(p *tool.Parser) {
	p.Is("fixit", result.Lint, 1, "fixit 2: lint, lint --diff")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}@{line}:{column} {rule}: {message}", Fit: func(f *result.Finding) { f.Message, f.Fixable = strings.CutSuffix(f.Message, " (has autofix)") }},
	}, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" && strings.Contains("-+@ ", l.Text[:1]) }}.Parse})
	p.Reads(read.PythonTrouble("fixit"))
})
