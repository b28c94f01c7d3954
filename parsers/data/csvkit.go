package data

import (
	"encoding/csv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// csvclean reports bad rows on stderr, as CSV with the head "line_number,msg,…".
var _ = Room.Add("csvclean csvcut csvstat csvsql in2csv sql2csv | csvgrep csvjoin csvsort csvstack csvjson csvlook csvformat", func(p *tool.Parser) {
	p.Is("csvkit", result.Lint, 1, "csvkit 1 and 2: csvclean's rows, and what each of its programs says when it cannot go on")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: parseCsvkit})
	p.Reads(read.PythonTrouble("csvclean", "csvcut", "csvstat", "csvsql", "csvgrep", "csvjoin", "csvsort", "csvstack", "csvjson", "csvlook", "csvformat", "in2csv", "sql2csv"))
})

func parseCsvkit(in *tool.Input) *tool.Report {
	rows := false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		class, message, ok := strings.Cut(l.Text, ": ")
		switch {
		case l.Stream != tool.Stderr:
			return false
		case strings.HasPrefix(l.Text, "line_number,msg"):
			rows = true
			return s.Sign(l)
		case rows:
			cells, err := csv.NewReader(strings.NewReader(l.Text)).Read()
			if err != nil || len(cells) < 2 || !lex.IsDigits(cells[0]) || len(cells[0]) > 8 {
				return false
			}
			return s.Find(l, result.Finding{Message: cells[1], At: &result.Location{Line: lex.Atoi(cells[0]), Path: read.OnlyFile(in, "sv")}})
		case ok && lex.IsIdentifier(class) && strings.HasSuffix(class, "Error"):
			return s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: class, Message: message})
		}
		return false
	}}.Parse(in)
}
