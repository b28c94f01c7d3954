package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// frictionless validates tables. Its text is a table of errors for each, whose cells
// go on in the rows below:
//
//	│ bad  │ table │ csv/bad.csv │ INVALID │
//	│ 3   │ 3     │ missing-cell │ Row at position "3" has a missing cell in field │
//	│     │       │              │ "qty" at position "3"                           │
var _ = Room.Add("frictionless", func(p *tool.Parser) {
	p.Is("frictionless", result.Lint, 1, "frictionless 5: validate as text and --json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(frictionlessTask, "/tasks/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: parseFrictionless})
	p.Reads(read.PythonTrouble("frictionless"))
})

func frictionlessTask(s *read.Sink, v *struct {
	Place  string
	Errors []struct {
		Type, Message string
		Row           int `json:"rowNumber"`
		Field         int `json:"fieldNumber"`
	}
}) {
	for _, e := range v.Errors {
		s.FindHere(frictionlessFinding(v.Place, e.Row, e.Field, e.Type, e.Message))
	}
	s.Signed = s.Signed || v.Place != ""
}

// frictionlessFinding: a cell is a row's; its line is the row's where no cell has one
// of its own, and that is not told.
func frictionlessFinding(path string, row, field int, rule, message string) result.Finding {
	return result.Finding{Rule: rule, Message: message, At: &result.Location{Path: path, Line: row, Column: field}}
}

func parseFrictionless(in *tool.Input) *tool.Report {
	paths, name := map[string]string{}, ""
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if title := strings.TrimSpace(l.Text); paths[title] != "" {
			name = title
			return true
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimRight(l.Text, " "), "│"), "│"), "│")
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		if !strings.HasPrefix(l.Text, "│") || len(cells) < 2 {
			s.Break()
			return strings.HasPrefix(l.Text, "──") || strings.HasPrefix(l.Text, "┏")
		}
		last := len(cells) - 1
		switch {
		case len(cells) == 4 && (cells[3] == "VALID" || cells[3] == "INVALID"):
			s.Sign(l)
			paths[strings.Clone(cells[0])] = strings.Clone(cells[2])
		case len(cells) == 4 && paths[name] != "" && strings.Contains(cells[2], "-error") || len(cells) == 4 && paths[name] != "" && isCell(cells[0]) && isCell(cells[1]):
			s.Find(l, frictionlessFinding(paths[name], cellNumber(cells[0]), cellNumber(cells[1]), cells[2], cells[3]))
		case s.Last() != nil && strings.HasPrefix(l.Text, "│  "):
			f := s.Last()
			f.Message += " " + cells[last]
			f.RawSpan.End = l.End
		}
		return true
	}}.Parse(in)
}

func isCell(cell string) bool { return cell == "None" || lex.IsDigits(cell) && len(cell) < 9 }

func cellNumber(cell string) int {
	if !lex.IsDigits(cell) || len(cell) > 8 {
		return 0
	}
	return lex.Atoi(cell)
}
