package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// fixit prints a finding in a line, and with --diff what would mend it below:
//
//	src/a.py@7:7 CompareSingletonPrimitivesByIs: text (has autofix)
var _ = Room.Add("fixit", func(p *tool.Parser) {
	p.Is("fixit", result.Lint, 1, "fixit 2: lint, lint --diff")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: fixitLine}.Parse})
	p.Reads(read.PythonTrouble("fixit"))
})

func fixitLine(s *read.Sink, l tool.Line) bool {
	path, rest, ok := strings.Cut(l.Text, "@")
	position, rest, both := strings.Cut(rest, " ")
	rule, message, all := strings.Cut(rest, ": ")
	line, column, placed := strings.Cut(position, ":")
	if !ok || !both || !all || !placed || !lex.IsDigits(line) || !lex.IsDigits(column) || !place.IsFile(path) || strings.Contains(rule, " ") {
		return s.Open() && l.Text != "" && strings.Contains("-+@ ", l.Text[:1]) && s.More(l) // the difference
	}
	f := result.Finding{Rule: rule, At: &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}}
	f.Message, f.Fixable = strings.CutSuffix(message, " (has autofix)")
	return s.Find(l, f)
}
