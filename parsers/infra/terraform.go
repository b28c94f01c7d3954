package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "terraform", Kind: result.Infra, Version: 1,
		About:   "terraform and tofu 1.x: boxes, -no-color, validate -json and the JSON lines of plan and apply",
		Matches: tool.Runs("terraform", "tofu"), Programs: []string{"terraform", "tofu"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(terraformItem, "/diagnostics/*", "/diagnostic")}.Parse},
			{Name: "text", Parse: parseTerraform},
			{Name: "text", Starts: []string{"│ Error: ", "│ Warning: "}, Parse: parseTerraform},
		},
	}
})

func parseTerraform(in *tool.Input) *tool.Report {
	return read.Text{Line: new(terraformBox).line}.Parse(in)
}

// terraformItem is a diagnostic of the JSON formats.
func terraformItem(s *read.Sink, v *struct {
	Severity, Summary, Detail string
	Range                     *struct {
		Filename string
		Start    struct{ Line, Column int }
	}
}) {
	f := result.Finding{Severity: read.SeverityOf(v.Severity), RawSeverity: v.Severity, Message: v.Summary, Detail: v.Detail}
	if v.Range != nil {
		f.At = &result.Location{Path: v.Range.Filename, Line: v.Range.Start.Line, Column: v.Range.Start.Column}
	}
	s.FindHere(f)
}

// terraformBox reads "Error: summary", the place below it, and the text below
// that, in a box or without one.
type terraformBox struct{ open bool }

func (b *terraformBox) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	switch {
	case text == "╷":
		return true
	case text == "╵":
		b.open = false
		s.Break()
		return true
	}
	inner, boxed := strings.CutPrefix(text, "│")
	if inner = strings.TrimPrefix(inner, " "); !boxed {
		inner = text
	}
	for word, severity := range map[string]result.Severity{"Error: ": result.SevError, "Warning: ": result.SevWarning} {
		if summary, ok := strings.CutPrefix(inner, word); ok {
			s.Find(l, result.Finding{Severity: severity, RawSeverity: strings.ToLower(word[:len(word)-2]), Message: summary})
			b.open = true
			return true
		}
	}
	if !b.open {
		return false
	}
	f := s.Last()
	if rest, ok := strings.CutPrefix(strings.TrimLeft(inner, " "), "on "); ok && f != nil && f.At == nil {
		if path, after, ok := strings.Cut(rest, " line "); ok {
			n := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
			if n < 0 {
				n = len(after)
			}
			f.At = &result.Location{Path: path, Line: lex.Atoi(after[:n])}
		}
	}
	s.More(l)
	return true
}
