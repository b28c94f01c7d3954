package data

import (
	"strings"

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
			{Name: "json", Parse: read.JSON{Items: read.Items(sqruffFiles, "")}.Parse},
			{Name: "human", Parse: read.Text{Line: sqlfluffLine}.Parse},
			{Name: "github", Parse: read.Text{Line: sqruffWorkflow}.Parse},
			{Name: "messages", Parse: read.Said{Usage: []string{"error: "}}.Parse},
			read.PythonTrouble("sqruff"),
		},
	}
})

func sqruffFiles(s *read.Sink, v *map[string][]struct {
	Range struct {
		Start struct{ Line, Character int }
	}
	Message, Code string
}) {
	for _, path := range sortedKeys(*v) {
		for _, w := range (*v)[path] {
			s.FindHere(sqlfluffFinding(path, w.Range.Start.Line, w.Range.Start.Character, w.Code, w.Message, ""))
		}
	}
}

func sqruffWorkflow(s *read.Sink, l tool.Line) bool {
	w, ok := read.CutWorkflow(l.Text)
	if !ok || w.Title != "sqruff" {
		return strings.HasPrefix(l.Text, "::group::") || l.Text == "::endgroup::"
	}
	code, text, _ := strings.Cut(w.Message, ": ")
	text, name := cutSqlfluffName(text)
	return s.Find(l, sqlfluffFinding(w.At.Path, w.At.Line, w.At.Column, code, text, name))
}
