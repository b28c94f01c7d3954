package data

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// sqruff prints rows like those of sqlfluff.
var _ = Room.Add("sqruff", func(p *tool.Parser) {
	p.Is("sqruff", result.Lint, 1, "sqruff 0.20 and later: human, json, github-annotation-native")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{""}, Keyed: true, Line: "range.start.line", Column: "range.start.character", Rule: "code", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "human", Parse: read.Text{Line: sqlfluffLine}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: sqlfluffCommands("sqruff")})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Usage: []string{"error: "}}.Parse})
	p.Reads(read.PythonTrouble("sqruff"))
})
