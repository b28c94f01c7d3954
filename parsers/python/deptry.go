package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("deptry", func(p *tool.Parser) {
	p.Is("deptry", result.Lint, 1, "deptry 0.5 and later")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Other: deptryLine}.Parse})
	p.Reads(read.PythonTrouble("deptry"))
})

// deptryLine reads "pyproject.toml: DEP002 'flask' defined as a dependency but not
// used", a finding without a line number, and the count.
func deptryLine(s *read.Sink, l tool.Line) bool {
	path, rest, ok := strings.Cut(l.Text, ": DEP")
	if code, message, found := strings.Cut(rest, " "); ok && found && lex.IsDigits(code) && !strings.Contains(path, " ") {
		return s.Find(l, result.Finding{Rule: "DEP" + code, Message: message, At: &result.Location{Path: path}})
	}
	if file, why, skipped := strings.Cut(strings.TrimPrefix(l.Text, "Warning: Skipping processing of "), " because of the following error: "); skipped && len(file) < len(l.Text) {
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: "skipped: " + strings.Trim(why, `".`), At: &result.Location{Path: file}})
	}
	var n string
	if n, ok = strings.CutPrefix(l.Text, "Found "); ok {
		if n, _, ok = strings.Cut(n, " dependency issue"); ok && lex.IsDigits(n) && len(n) < 8 {
			s.Claim(lex.Atoi(n))
		}
	}
	if ok || strings.HasPrefix(l.Text, "Success! No dependency issues found") {
		return s.Sign(l)
	}
	return false
}
