package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hlint", func(p *tool.Parser) {
	p.Is("hlint", result.Lint, 1, "HLint 3: default, colours, --json, --cc")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file", Line: "startLine", Column: "startColumn", Severity: "severity", Message: "hint", Help: "to"}.Parse})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule, f.Detail = "", "" })})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: hlintLine}.Parse})
})

// hlintFinding returns the finding of a hint. Its name is the message, and it has no rule.
func hlintFinding(word, hint string, at *result.Location) result.Finding {
	return result.Finding{RawSeverity: word, Severity: read.SeverityOf(word), Message: hint, At: at}
}

// hlintLine reads "h.hs:1:13-56: Warning: Redundant if", and below it the code that was found and the code that
// could replace it.
func hlintLine(s *read.Sink, l tool.Line) bool {
	d, ok := read.CutDiagnostic(l.Text)
	f := s.Last()
	switch {
	case ok && d.Word != "":
		d.At.EndColumn = 0
		return s.Find(l, hlintFinding(d.Word, d.Message, &d.At))
	case strings.HasSuffix(l.Text, " hints") || strings.HasSuffix(l.Text, " hint") || l.Text == "No hints":
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Couldn't find file: "), strings.HasPrefix(l.Text, "Unknown flag: "):
		return s.Misuse(l, l.Text)
	case f != nil && strings.HasPrefix(l.Text, "  ") && strings.HasSuffix(f.Detail, "Perhaps:"):
		f.Suggestions = append(f.Suggestions, strings.TrimSpace(l.Text))
		return s.More(l)
	case f != nil && l.Text != "":
		return s.More(l)
	}
	return false
}
