package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkstyle | checkstyle.jar com.puppycrawl.tools.checkstyle.Main", func(p *tool.Parser) {
	p.Is("checkstyle", result.Lint, 1, "checkstyle 8 to 12: plain; the exit code is the number of errors")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "xml", Parse: read.Checkstyle(checkstyleRule)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(checkstyleRule)})
	p.Reads(tool.Format{Name: "plain", Starts: []string{"Starting audit..."}, Parse: read.Rows{Rows: []read.Row{
		{Form: "Starting audit...", As: read.Close},
		{Form: "[{severity}] {place} {message} [{rule}]"},
		{Form: "[{severity}] {place} {message}"},
		{Form: "Audit done.", As: read.Close},
		{Form: "Checkstyle ends with {#error} errors.", As: read.Close},
		{Form: "com.puppycrawl.tools.checkstyle.api.CheckstyleException: {message}", As: read.Misuse},
		{Form: "Caused by: com.puppycrawl.{word}: {word} occurred while parsing file {path}.", As: read.InPath},
		{Form: "Caused by: com.puppycrawl.{word}: {message}", As: read.Misuse},
		{Form: "Caused by: java.lang.IllegalStateException: {line}:{}: {message}"},
	}}.Parse})
})

// checkstyleRule shortens the class of a check to the name that plain text has: "NeedBraces".
func checkstyleRule(f *result.Finding) {
	f.Rule = strings.TrimSuffix(f.Rule[strings.LastIndexByte(f.Rule, '.')+1:], "Check")
}
