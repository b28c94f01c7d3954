package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("refurb", func(p *tool.Parser) {
	p.Is("refurb", result.Lint, 1, "refurb 1 and 2: text and github")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: func(d *read.Diagnostic) bool {
		rule, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "["), "]: ")
		if ok && strings.HasPrefix(d.Message, "[") {
			d.Rule, d.Message = rule, message
		}
		return ok
	}, Other: refurbLine}.Parse})
	p.Reads(read.PythonTrouble("refurb"))
})

// refurbLine reads GitHub's form, and the errors of refurb itself and of mypy, which refurb runs.
func refurbLine(s *read.Sink, l tool.Line) bool {
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "Refurb ") {
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: strings.TrimPrefix(w.Title, "Refurb "), Message: w.Message, At: &w.At})
	}
	message, ok := strings.CutPrefix(l.Text, "refurb: ")
	if path, why, found := strings.Cut(l.Text, ": error: "); !ok && found && !strings.Contains(path, " ") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: &result.Location{Path: path}})
		s.Meaning = result.MeansUsage
		return true
	}
	return ok && s.Misuse(l, message)
}
