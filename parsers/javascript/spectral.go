package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("spectral", func() *tool.Parser {
	return &tool.Parser{
		Tool: "spectral", Kind: result.Lint, Version: 1, ColumnUnit: "utf16",
		About: "spectral 5 and 6: stylish, text, json",

		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Parse: apiTable(apiCount)},
			{Name: "json", Parse: read.JSON{Items: read.Items(spectralItem, "/*")}.Parse},
			{Name: "messages", Parse: jserror.Usage("Error #1: ", "No files found", "No ruleset has been found", "No documents provided", "Error: ")},
			{Name: "messages", Parse: yargsMisuse},
		},
	}
})

// spectralItem is an element of the json format; positions count from 0, severities
// from error to hint.
func spectralItem(s *read.Sink, v *struct {
	Code, Message, Source string
	Severity              int
	Range                 struct{ Start struct{ Line, Character int } }
}) {
	severities := [...]result.Severity{result.SevError, result.SevWarning, result.SevInfo, result.SevInfo}
	s.FindHere(result.Finding{
		Rule: v.Code, Message: v.Message, Severity: severities[max(0, min(v.Severity, 3))],
		At: &result.Location{Path: v.Source, Line: v.Range.Start.Line + 1, Column: v.Range.Start.Character + 1},
	})
}
