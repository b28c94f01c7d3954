package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "actionlint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "actionlint 1.x: text, -oneline and -format json",
		Matches: tool.Runs("actionlint"), Programs: []string{"actionlint"},
		Exits: map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(func(s *read.Sink, v *struct {
				Message, Filepath, Kind string
				Line, Column            int
			}) {
				s.FindHere(result.Finding{Rule: v.Kind, Message: v.Message, At: &result.Location{Path: v.Filepath, Line: v.Line, Column: v.Column}})
			})}}.Parse},
			{Name: "text", Parse: read.Linter{Rule: read.Brackets, Below: actionlintFrame, Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse},
		},
	}
})

// actionlintFrame: "  |", "4 |   a: [", "  |   ^~~".
func actionlintFrame(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(strings.TrimLeft(l.Text, " 0123456789"), "|")
}
