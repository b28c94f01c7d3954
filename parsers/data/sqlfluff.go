package data

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sqlfluff", func(p *tool.Parser) {
	p.Is("sqlfluff", result.Lint, 1, "sqlfluff 1 to 4: human, json, yaml, github-annotation, github-annotation-native")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(sqlfluffFile, "/*")}.Parse})
	p.Reads(tool.Format{Name: "yaml", Parse: read.YAMLByShape(sqlfluffYAML)})
	p.Reads(tool.Format{Name: "human", Starts: []string{"L: …| P:"}, Parse: read.Text{Line: sqlfluffLine}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: sqlfluffCommands("SQLFluff")})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: sqlfluffTrouble}.Parse})
	p.Reads(read.PythonTrouble("sqlfluff"))
})

// sqlfluffFile reads a file's violations from json, or a violation of github-annotation.
func sqlfluffFile(s *read.Sink, v *struct {
	Filepath   string
	Violations []struct {
		Line        int `json:"start_line_no"`
		Column      int `json:"start_line_pos"`
		OldLine     int `json:"line_no"`
		OldColumn   int `json:"line_pos"`
		Code        string
		Description string
		Name        string
	}
	File    string
	Line    int `json:"start_line"`
	Column  int `json:"start_column"`
	Message string
}) {
	for _, w := range v.Violations {
		s.FindHere(sqlfluffFinding(v.Filepath, max(w.Line, w.OldLine), max(w.Column, w.OldColumn), w.Code, w.Description, w.Name))
	}
	if v.File != "" {
		code, text, _ := strings.Cut(v.Message, ": ")
		text, name := cutSqlfluffName(text)
		s.FindHere(sqlfluffFinding(v.File, v.Line, v.Column, code, text, name))
	}
}

func sqlfluffFinding(path string, line, column int, code, text, name string) result.Finding {
	return result.Finding{Rule: code, RuleName: name, Message: text, At: &result.Location{Path: path, Line: line, Column: column}}
}

// sqlfluffYAML makes a finding of the yaml format equal to one of the other formats.
func sqlfluffYAML(f *result.Finding) {
	as := sqlfluffFinding("", 0, 0, f.Rule, f.Message, "")
	f.Severity, f.Kind = cmp.Or(as.Severity, result.SevError), cmp.Or(as.Kind, result.Diagnostic)
	if f.At != nil {
		f.At.EndLine, f.At.EndColumn = 0, 0
	}
}

// cutSqlfluffName splits "[layout.spacing]" from the end of a description.
func cutSqlfluffName(text string) (rest, name string) {
	if rest, name = read.Brackets.Cut(text); strings.Contains(name, ".") {
		return rest, name
	}
	return text, ""
}

// sqlfluffCommands reads "::error title=SQLFluff,file=a.sql,line=1,col=2::LT01: text [layout.spacing]".
func sqlfluffCommands(title string) func(in *tool.Input) *tool.Report {
	return read.WorkflowCommands(func(f *result.Finding) bool {
		code, text, _ := strings.Cut(f.Message, ": ")
		text, name := cutSqlfluffName(text)
		ours := f.Rule == title
		*f = sqlfluffFinding(f.At.Path, f.At.Line, f.At.Column, code, text, name)
		return ours
	})
}

// sqlfluffLine reads the rows below a file. A long description continues in the next row:
//
//	== [report.sql] FAIL
//	L:   1 | P:   1 | LT09 | Select targets should be on a new line unless there is
//	                       | only one select target. [layout.select_targets]
func sqlfluffLine(s *read.Sink, l tool.Line) bool {
	row := strings.TrimPrefix(l.Text, "  ") // "sqlfluff fix" indents the rows
	if path, ok := strings.CutPrefix(row, "== ["); ok {
		s.Path = path[:max(0, strings.LastIndex(path, "] "))]
		s.Sign(l)
		return s.Break()
	}
	cells := strings.SplitN(row, " | ", 4)
	if len(cells) == 4 && strings.HasPrefix(cells[0], "L:") && strings.HasPrefix(cells[1], "P:") {
		text, name := cutSqlfluffName(cells[3])
		return s.Find(l, sqlfluffFinding(s.Path, sqlfluffNumber(cells[0]), sqlfluffNumber(cells[1]), strings.TrimSpace(cells[2]), text, name))
	}
	if more, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), "| "); ok && s.Last() != nil {
		f := s.Last()
		f.Message, f.RuleName = cutSqlfluffName(f.Message + " " + more)
		return s.Reach(l)
	}
	s.Break()
	return sqlfluffTrouble(s, l)
}

func sqlfluffNumber(cell string) int {
	n := strings.TrimSpace(cell[2:])
	if !lex.IsDigits(n) || len(n) > 8 {
		return 0
	}
	return lex.Atoi(n)
}

// sqlfluffTrouble reads "User Error: No dialect was specified."
func sqlfluffTrouble(s *read.Sink, l tool.Line) bool {
	why, ok := strings.CutPrefix(l.Text, "User Error: ")
	if !ok {
		if why, ok = strings.CutPrefix(l.Text, "Error: "); !ok {
			if l.Text == "All Finished!" {
				s.Sign(l)
			}
			return false
		}
	}
	return s.Misuse(l, why)
}
