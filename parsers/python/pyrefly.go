package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pyrefly", func(p *tool.Parser) {
	p.Is("pyrefly", result.Typecheck, 1, "Pyrefly 0.x and 1.x: full-text, min-text, full-text-with-github, json, github, code-climate; JUnit XML and SARIF")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/errors/*"}, Path: "path", Line: "line", Column: "column", Rule: "name", Severity: "severity", Message: "description", Fit: pyreflyFit,
	}.Parse})
	p.Reads(tool.Format{Name: "code-climate", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule = strings.TrimPrefix(f.Rule, "pyrefly/") })})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*framed).pyrefly)})
})

// pyreflyFit shortens a description to its first line, which is all that the text format prints.
func pyreflyFit(f *result.Finding) {
	f.RawSeverity = ""
	f.Message, _, _ = strings.Cut(f.Message, "\n")
}

// pyrefly reads "ERROR text [rule]" with an arrow below, and "ERROR a.py:12:14-15:
// text [rule]".
func (p *framed) pyrefly(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	f := s.Last()
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "Pyrefly ") {
		message, _, _ := strings.Cut(w.Message, "\n")
		rule := strings.TrimPrefix(w.Title, "Pyrefly ")
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool {
			return f.At != nil && f.Rule == rule && f.Message == message && f.At.Line == w.At.Line && f.At.Column == w.At.Column && strings.HasSuffix(w.At.Path, f.At.Path)
		}) {
			s.Cover(l) // full-text-with-github repeats each finding in this form
			return s.Break()
		}
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: rule, Message: message, At: &w.At})
	}
	switch {
	case (word == "ERROR" || word == "WARN") && strings.HasSuffix(text, "]"):
		found := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word)}
		found.Message, found.Rule = read.Brackets.Cut(strings.TrimSpace(rest))
		if at, message, ok := place.Cut(found.Message); ok {
			found.At, found.Message = &at, strings.TrimLeft(message, "-:0123456789 ")
		}
		s.Find(l, found)
		p.placed = found.At != nil
		return true
	case word == "INFO" && strings.HasSuffix(rest, " error") || strings.HasSuffix(rest, " errors"), strings.HasPrefix(text, "No `pyrefly.toml` found"), strings.HasPrefix(text, "Run `pyrefly init`"):
		s.Sign(l)
		return s.Break()
	case strings.HasPrefix(l.Text, "error: "), strings.HasPrefix(l.Text, "Path `") && strings.HasSuffix(text, " does not exist"):
		return s.Misuse(l, strings.TrimPrefix(text, "error: "))
	case f != nil && strings.HasPrefix(text, "-->") && !p.placed:
		f.At, p.placed = place.LastColons(strings.TrimSpace(strings.TrimPrefix(text, "-->"))), true
		return s.More(l)
	case f != nil && text != "":
		return s.More(l)
	}
	return false
}
