package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("write-good writegood", func(p *tool.Parser) {
	p.Is("write-good", result.Lint, 1, "write-good 1.0: default and --parse; its exit code is the number of suggestions")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "In {path}", As: read.InPath},
		{Form: `"{message} on line {line} at column {column}`, As: read.Warning, Fit: func(f *result.Finding) {
			if f.Message = `"` + f.Message; f.At != nil {
				f.At.Column++ // columns are 0-based
			}
		}},
	}}.Parse})
	p.Reads(tool.Format{Name: "parse", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: writeGoodColumn}.Parse})
})

// writeGoodColumn makes the column 1-based.
func writeGoodColumn(d *read.Diagnostic) bool {
	d.At.Column++
	return true
}
