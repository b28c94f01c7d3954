package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("actionlint", func(p *tool.Parser) {
	p.Is("actionlint", result.Lint, 1, "actionlint 1.x: text, -oneline and -format json")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "filepath", Line: "line", Column: "column", Rule: "kind", Message: "message"}.Parse})
	p.Reads(read.Template{Names: map[string]string{"Kind": "{rule}"}}.Format("actionlint"))
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Below: func(_ *read.Sink, l tool.Line) bool {
		return strings.HasPrefix(strings.TrimLeft(l.Text, " 0123456789"), "|")
	}, Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse})
})
