package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// frictionless validates tables. For each, its text has a table of errors. A long cell continues in the rows below:
//
//	│ bad  │ table │ csv/bad.csv │ INVALID │
//	│ 3   │ 3     │ missing-cell │ Row at position "3" has a missing cell in field │
//	│     │       │              │ "qty" at position "3"                           │
var _ = Room.Add("frictionless", func(p *tool.Parser) {
	p.Is("frictionless", result.Lint, 1, "frictionless 5: validate as text and --json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/tasks/*"}, In: "errors", Path: "place", Line: "rowNumber", Column: "fieldNumber", Rule: "type", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: parseFrictionless})
	p.Reads(read.PythonTrouble("frictionless"))
})

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
			// cells[0] is the row, cells[1] the field; either may be "None"
			s.Find(l, result.Finding{Rule: cells[2], Message: cells[3], At: &result.Location{Path: paths[name], Line: lex.LeadingNumber(cells[0]), Column: lex.LeadingNumber(cells[1])}})
		case s.Last() != nil && strings.HasPrefix(l.Text, "│  "):
			f := s.Last()
			f.Message += " " + cells[last]
			f.RawSpan.End = max(f.RawSpan.End, l.End)
		}
		return true
	}}.Parse(in)
}

func isCell(cell string) bool { return cell == "None" || lex.IsDigits(cell) && len(cell) < 9 }
