package data

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// sqruff prints sqlfluff's rows.
var _ = Room.Add("sqruff", func() *tool.Parser {
	return &tool.Parser{
		Tool: "sqruff", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "sqruff 0.20 and later: human, json, github-annotation-native",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.Objects{At: []string{""}, Keyed: true, Line: "range.start.line", Column: "range.start.character", Rule: "code", Message: "message"}.Parse},
			{Name: "human", Parse: read.Text{Line: sqlfluffLine}.Parse},
			{Name: "github", Parse: sqlfluffCommands("sqruff")},
			{Name: "messages", Parse: read.Said{Usage: []string{"error: "}}.Parse},
			read.PythonTrouble("sqruff"),
		},
	}
})
