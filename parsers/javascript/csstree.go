package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("csstree-validator", func(p *tool.Parser) {
	p.Is("csstree-validator", result.Lint, 1, "csstree-validator 2.x to 4.x: console, json, checkstyle, gnu")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "name", Line: "line", Column: "column", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) { f.Rule = "" })})
	p.Reads(tool.Format{Name: "gnu", Parse: read.Linter{Accept: csstreeGNU}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: csstree.Parse})
})

// csstreeGNU removes the value and the expected syntax, which only gnu's lines have, from a message.
func csstreeGNU(d *read.Diagnostic) bool {
	d.Message, _, _ = strings.Cut(d.Message, ": `")
	return d.Word != ""
}

// csstree reads the blocks of the console form, which have no line numbers.
var csstree = read.Rows{
	Rows: []read.Row{
		{Form: "# {path}", As: read.InPath},
		{Form: "  * {message}"},
		{Form: "ERROR! {message}", As: read.Misuse},
	},
	Below: read.Indented,
}
