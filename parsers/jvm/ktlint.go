package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ktlint | ktlint.jar com.pinterest.ktlint.Main", func(p *tool.Parser) {
	p.Is("ktlint", result.Lint, 1, "ktlint 0.50 to 1.8: plain (by file, too), json and checkstyle; the paths of its SARIF count from a directory that it alone knows")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file", In: "errors", Line: "line", Column: "column", Rule: "rule", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "plain", Parse: read.Linter{Rule: read.Parens, Accept: isKtlint}.Parse})
	p.Reads(tool.Format{Name: "grouped", Starts: []string{"Summary error count (descending) by rule:"}, Named: true, Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens, Ruled: true, Default: result.SevError}}.Parse})
})

func isKtlint(d *read.Diagnostic) bool {
	return strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts")
}
