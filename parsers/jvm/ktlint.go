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
			{Name: "json", Parse: read.JSON{Items: read.Items(ktlintItem, "/*")}.Parse},
			{Name: "checkstyle", Parse: read.Checkstyle(nil)},
			{Name: "plain", Parse: read.Linter{Rule: read.Parens, Accept: isKtlint}.Parse},
		},
	}
})

func isKtlint(d *read.Diagnostic) bool {
	return strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts")
}

func ktlintItem(s *read.Sink, v *struct {
	File   string
	Errors []struct {
		Line, Column  int
		Message, Rule string
	}
}) {
	for _, e := range v.Errors {
		s.FindHere(result.Finding{Rule: e.Rule, Message: e.Message, At: &result.Location{Path: v.File, Line: e.Line, Column: e.Column}})
	}
}
