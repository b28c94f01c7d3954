package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("interrogate", func(p *tool.Parser) {
	p.Is("interrogate", result.Lint, 1, "interrogate 1.x: the verdict, -v by file, -vv by object; -q prints nothing")
	p.Reads(tool.Format{Name: "text", Starts: []string{"RESULT: FAILED (minimum: "}, Named: true, Parse: parseInterrogate})
	p.Reads(read.PythonTrouble("interrogate"))
})

func parseInterrogate(in *tool.Input) *tool.Report {
	base, file, head := "", "", -1 // head is the index of the finding for the file's own row; it spans the file's other rows too
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
				s.Findings[head].RawSpan.End = max(s.Findings[head].RawSpan.End, l.End)
			}
		}
		return true
	}}.Parse(in)
}
