package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hadolint", func(p *tool.Parser) {
	p.Is("hadolint", result.Lint, 1, "hadolint 2.x: tty, gnu, json, sarif, checkstyle, sonarqube, codeclimate, codacy")
	p.RuleURL = tool.RulesAt("https://github.com/hadolint/hadolint/wiki/", "DL")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "file", Line: "line", Rule: "code", Severity: "level", Message: "message", Fit: hadolintFit,
	}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(hadolintFit)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(hadolintFit)})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.IfFound(read.CodeQuality(hadolintGrade))})
	p.Reads(tool.Format{Name: "sonarqube", Parse: read.Objects{
		At: []string{"/issues/*"}, Path: "primaryLocation.filePath", Line: "primaryLocation.textRange.startLine",
		Rule: "ruleId", Severity: "severity", Message: "primaryLocation.message", Fit: hadolintGrade,
	}.Parse})
	p.Reads(tool.Format{Name: "codacy", Parse: read.IfFound(read.Objects{At: []string{""}, Path: "filename", Line: "line", Rule: "patternId", Message: "message", Fit: hadolintFit}.Parse)})
	p.Reads(tool.Format{Name: "tty", Parse: read.Linter{Program: "hadolint", Rule: read.Ahead, Severity: read.StyleIsNote, Usage: []string{"Invalid option `"}}.Parse})
})

// hadolintFit reduces the place to path and line: not every format prints a column.
func hadolintFit(f *result.Finding) {
	f.Severity = read.StyleIsNote(f.RawSeverity)
	if f.At != nil {
		f.At = &result.Location{Path: f.At.Path, Line: f.At.Line}
	}
}

// hadolintGrade reads the grades of formats for code quality, in which a warning is "major" and information "minor".
func hadolintGrade(f *result.Finding) {
	hadolintFit(f)
	switch strings.ToLower(f.RawSeverity) {
	case "major":
		f.Severity = result.SevWarning
	case "minor":
		f.Severity = result.SevInfo
	}
}
