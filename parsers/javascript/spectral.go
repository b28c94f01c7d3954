package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("spectral", func() *tool.Parser {
	return &tool.Parser{
		Tool: "spectral", Kind: result.Lint, Version: 1, ColumnUnit: "utf16",
		About: "spectral 5 and 6: stylish, text, pretty, html, markdown, json, junit, code-climate, gitlab, teamcity, github-actions, sarif",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Parse: apiTable(apiCount)},
			{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "source", Line: "range.start.line", Column: "range.start.character", Rule: "code", Severity: "severity", Message: "message", Fit: spectralItem}.Parse},
			{Name: "markdown", Parse: read.Sheet{Drawn: true, Names: map[string]string{"path": "", "end": ""}, Fit: spectralRange}.Parse},
			{Name: "html", Parse: read.Sheet{}.Parse},
			{Name: "code-climate", Parse: read.CodeQuality(spectralIssue)},
			{Name: "junit", Parse: read.Fitted(junit.Lints, spectralCase)},
			{Name: "teamcity", Parse: read.Fitted(spectralInspections, spectralLevel)},
			{Name: "pretty", Parse: spectralPretty},
			{Name: "messages", Parse: jserror.Usage("Error #1: ", "No files found", "No ruleset has been found", "No documents provided", "Error: ")},
			{Name: "messages", Parse: jserror.Yargs},
		},
	}
})

// spectralRange counts a position from 1, that the markdown and json formats count from 0.
func spectralRange(f *result.Finding) {
	if f.At != nil {
		f.At.Line, f.At.Column = f.At.Line+1, f.At.Column+1
	}
}

// spectralItem: severities are numbers, from error to hint.
func spectralItem(f *result.Finding) {
	severities := [...]result.Severity{result.SevError, result.SevWarning, result.SevInfo, result.SevInfo}
	f.Severity, f.RawSeverity = severities[min(lex.Atoi(f.RawSeverity), 3)], ""
	spectralRange(f)
}

// spectralIssue counts a position from 1, that Code Climate's format counts from 0, and in
// which an error is critical and a warning major.
func spectralIssue(f *result.Finding) {
	if f.RawSeverity == "major" {
		f.Severity = result.SevWarning
	}
	spectralRange(f)
}

// spectralCase takes from a rule, "path-params(#/paths/~1a)", what it is not, and
// from a message the place in the document.
func spectralCase(f *result.Finding) {
	f.Rule, _, _ = strings.Cut(f.Rule, "(#")
	f.Message, _, _ = strings.Cut(f.Message, " ("+f.Rule+") at path #")
}

func spectralInspections(in *tool.Input) *tool.Report {
	t := teamcity.Reader{}
	return read.IfFound(read.Text{Line: t.Line}.Parse)(in)
}

// spectralLevel takes the severity off an inspection, "warning -- text".
func spectralLevel(f *result.Finding) {
	if word, message, ok := strings.Cut(f.Message, " -- "); ok {
		f.Severity, f.RawSeverity, f.Message = read.SeverityOf(word), word, message
	}
}
