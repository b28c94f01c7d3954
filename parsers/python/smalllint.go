package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of one thing each.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "refurb", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "refurb 1 and 2: text and github",
		Matches: tool.Runs("refurb"), Programs: []string{"refurb"},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Accept: func(d *read.Diagnostic) bool {
			rule, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "["), "]: ")
			if ok && strings.HasPrefix(d.Message, "[") {
				d.Rule, d.Message = rule, message
			}
			return ok
		}, Other: refurbLine}.Parse}, read.PythonTrouble("refurb")},
	}
})

// refurbLine reads GitHub's form, and what refurb or mypy beneath it cannot do.
func refurbLine(s *read.Sink, l tool.Line) bool {
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "Refurb ") {
		s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: strings.TrimPrefix(w.Title, "Refurb "), Message: w.Message, At: &w.At})
		return true
	}
	message, ok := strings.CutPrefix(l.Text, "refurb: ")
	if path, why, found := strings.Cut(l.Text, ": error: "); !ok && found && !strings.Contains(path, " ") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: &result.Location{Path: path}})
		s.Meaning = result.MeansUsage
		return true
	}
	if ok {
		s.Misuse(l, message)
	}
	return ok
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "pydoclint", Kind: result.Lint, Version: 1,
		About:   "pydoclint 0.3 and later: grouped by file, and the file in every line",
		Matches: tool.Runs("pydoclint"), Programs: []string{"pydoclint"},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Text{Line: pydoclintLine}.Parse},
			read.PythonTrouble("pydoclint"),
		},
	}
})

// pydoclintLine reads "    5: DOC107: text" below the name of its file.
func pydoclintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	where, message, ok := strings.Cut(text, ": DOC")
	code, message, coded := strings.Cut(message, ": ")
	path, number := s.Path, where
	if i := strings.LastIndexByte(where, ':'); i >= 0 {
		path, number = where[:i], where[i+1:]
	}
	switch {
	case ok && coded && lex.IsDigits(code) && lex.IsDigits(number) && len(number) < 8 && path != "":
		s.Find(l, result.Finding{Rule: "DOC" + code, Message: strings.TrimSpace(message), At: &result.Location{Path: path, Line: lex.Atoi(number)}})
	case strings.HasSuffix(l.Text, ".py") && !strings.HasPrefix(l.Text, " "):
		s.Path = strings.Clone(text)
	case strings.HasPrefix(text, "Skipping files that match this pattern: "), strings.Contains(text, "No violations"):
		s.Sign(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "interrogate", Kind: result.Lint, Version: 1,
		About:   "interrogate 1.x: the verdict, -v by file, -vv by object; -q prints nothing",
		Matches: tool.Runs("interrogate"), Programs: []string{"interrogate"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"RESULT: FAILED (minimum: "}, Parse: parseInterrogate},
			{Name: "text", Parse: parseInterrogate},
			read.PythonTrouble("interrogate"),
		},
	}
})

func parseInterrogate(in *tool.Input) *tool.Report {
	base, file, head := "", "", -1 // head is the finding of the file's own row, which the rows below it need
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if dir, ok := strings.CutPrefix(strings.Trim(l.Text, "= "), "Coverage for "); ok {
			base = strings.TrimSuffix(dir, "/") + "/"
			return true
		}
		text := strings.Trim(l.Text, "- ")
		if verdict, ok := strings.CutPrefix(text, "RESULT: "); ok && strings.Contains(verdict, " (minimum: ") {
			if s.Sign(l); strings.HasPrefix(verdict, "FAILED") {
				s.Find(l, result.Finding{Rule: "fail-under", Message: "docstring coverage " + strings.TrimPrefix(verdict, "FAILED ")})
			}
			return true
		}
		cells := strings.Split(strings.Trim(l.Text, "| "), "|")
		if len(cells) != 2 || !strings.HasPrefix(l.Text, "| ") {
			return false
		}
		name, status := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
		path, isFile := strings.CutSuffix(name, " (module)")
		if isFile {
			file, head = base+path, -1
		}
		object, line, _ := strings.Cut(strings.TrimSuffix(name, ")"), " (L")
		switch {
		case status != "MISSED":
		case isFile:
			s.Find(l, result.Finding{Severity: result.SevInfo, Rule: "missing", Message: "(module)", At: &result.Location{Path: file}})
			head = len(s.Findings) - 1
		case lex.IsDigits(line) && len(line) < 8:
			s.Find(l, result.Finding{Severity: result.SevInfo, Rule: "missing", Message: object, At: &result.Location{Path: file, Line: lex.Atoi(line)}})
			if head >= 0 && head < len(s.Findings) {
				s.Findings[head].RawSpan.End = l.End
			}
		}
		return true
	}}.Parse(in)
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "deptry", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "deptry 0.5 and later",
		Matches: tool.Runs("deptry"), Programs: []string{"deptry"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Rule: read.First, Other: deptryLine}.Parse}, read.PythonTrouble("deptry")},
	}
})

// deptryLine reads "pyproject.toml: DEP002 'flask' defined as a dependency but not
// used", a finding of a file, and the count.
func deptryLine(s *read.Sink, l tool.Line) bool {
	path, rest, ok := strings.Cut(l.Text, ": DEP")
	if code, message, found := strings.Cut(rest, " "); ok && found && lex.IsDigits(code) && !strings.Contains(path, " ") {
		s.Find(l, result.Finding{Rule: "DEP" + code, Message: message, At: &result.Location{Path: path}})
		return true
	}
	var n string
	if n, ok = strings.CutPrefix(l.Text, "Found "); ok {
		if n, _, ok = strings.Cut(n, " dependency issue"); ok && lex.IsDigits(n) && len(n) < 8 {
			s.Claim(lex.Atoi(n))
		}
	}
	if ok || strings.HasPrefix(l.Text, "Success! No dependency issues found") {
		s.Sign(l)
		return true
	}
	return false
}
