package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ktlint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "ktlint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "ktlint 0.50 to 1.8: plain, json and checkstyle; the paths of its SARIF count from a directory that it alone knows",
		Formats: []tool.Format{
			{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file", In: "errors", Line: "line", Column: "column", Rule: "rule", Message: "message"}.Parse},
			{Name: "checkstyle", Parse: read.Checkstyle(nil)},
			{Name: "plain", Parse: read.Linter{Rule: read.Parens, Accept: isKtlint}.Parse},
		},
	}
})

func isKtlint(d *read.Diagnostic) bool {
	return strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts")
}
