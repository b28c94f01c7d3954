package data

import (
	"cmp"
	"encoding/csv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// sqlfmt prints the files that it would change, or cannot read:
//
//	sql/bad.sql failed formatting check.
//	sql/bad.sql would be formatted.             --diff
//	models/x.sql
//	    sqlfmt encountered an error: Parse error at position 4
var _ = Room.Add("sqlfmt", func(p *tool.Parser) {
	p.Is("sqlfmt", result.Format, 1, "sqlfmt 0.9 and later: --check, --diff")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{word} file {}", As: read.Close},
		{Form: "{word} files {}", As: read.Close},
		{Form: "{path} failed formatting check.", Fit: sqlfmtFile},
		{Form: "{path} would be formatted.", Fit: sqlfmtFile},
		{Form: "    sqlfmt encountered an error: {message}"},
		{Form: "{path}", As: read.InPath},
	}}.Parse})
	read.InPython(p)
})

func sqlfmtFile(f *result.Finding) {
	f.Rule, f.Message, f.Fixable = "unformatted", "failed formatting check", true
}

// sqruff prints rows like those of sqlfluff.
var _ = Room.Add("sqruff", func(p *tool.Parser) {
	p.Is("sqruff", result.Lint, 1, "sqruff 0.20 and later: human, json, github-annotation-native")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{""}, Keyed: true, Line: "range.start.line", Column: "range.start.character", Rule: "code", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "human", Parse: read.Text{Line: sqlfluffLine}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: sqlfluffCommands("sqruff")})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Usage: []string{"error: "}}.Parse})
	read.InPython(p)
})

// squawk counts lines and columns from 0, except in its form for a terminal.
var _ = Room.Add("squawk", func(p *tool.Parser) {
	p.Is("squawk", result.Lint, 1, "squawk 2: tty, gcc, json, gitlab")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "file", Line: "line", Column: "column", Rule: "rule_name", Severity: "level", Message: "message", Fit: fromOne}.Parse})
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(func(f *result.Finding) {
		f.At.Line++
		f.Message, _, _ = strings.Cut(f.Message, " Suggestion: ")
	})})
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		var frames read.Framed
		return read.Rows{Other: frames.Line, Usage: []string{"error: "}, Rows: []read.Row{
			{Form: "{path}:{line}:{column}: {severity}: {rule} {message}", Fit: fromOne},
			{Form: "Find detailed examples {}", As: read.Close},
			{Form: "Found {} {word} in {}", As: read.Close},
			{Form: "Failed to find files for {}", As: read.Misuse},
		}}.Parse(in)
	}})
})

func fromOne(f *result.Finding) {
	if f.At != nil {
		f.At.Line, f.At.Column = f.At.Line+1, f.At.Column+1
	}
}

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

// frictionless validates tables. For each, its text has a table of errors. A long cell continues in the rows below:
//
//	│ bad  │ table │ csv/bad.csv │ INVALID │
//	│ 3   │ 3     │ missing-cell │ Row at position "3" has a missing cell in field │
//	│     │       │              │ "qty" at position "3"                           │
var _ = Room.Add("frictionless", func(p *tool.Parser) {
	p.Is("frictionless", result.Lint, 1, "frictionless 5: validate as text and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/tasks/*"}, In: "errors", Path: "place", Line: "rowNumber", Column: "fieldNumber", Rule: "type", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: parseFrictionless})
	read.InPython(p)
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

var _ = Room.Add("sqlfluff", func(p *tool.Parser) {
	p.Is("sqlfluff", result.Lint, 1, "sqlfluff 1 to 4: human, json, yaml, github-annotation, github-annotation-native")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(sqlfluffFile, "/*")}.Parse})
	p.Reads(tool.Format{Name: "yaml", Parse: read.YAMLByShape(sqlfluffYAML)})
	p.Reads(tool.Format{Name: "human", Starts: []string{"L: …| P:"}, Parse: read.Text{Line: sqlfluffLine}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: sqlfluffCommands("SQLFluff")})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: sqlfluffTrouble}.Parse})
	read.InPython(p)
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
