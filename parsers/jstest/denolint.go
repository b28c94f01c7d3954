package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("deno", func(p *tool.Parser) {
	p.Is("deno-lint", result.Lint, 1, "deno lint 1.30 to 2: pretty, compact, --json")
	p.Family, p.ColumnUnit = "deno", "char"
	p.Matches = tool.RunsSub("deno", "lint")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/diagnostics/*", "/errors/*"}, Path: "filename file_path", Line: "range.start.line", Column: "range.start.col", Column0: true, Rule: "code", Message: "message",
		Fit: func(f *result.Finding) { f.At.Path = strings.TrimPrefix(f.At.Path, "file://") },
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: denoLintLine}.Parse})
})

// denoLintLine reads "error[rule]: text" and below it " --> /path:1:5"; compact
// prints both in one line.
func denoLintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(l.Text, "error["); ok {
		rule, message, _ := strings.Cut(rest, "]: ")
		return s.Find(l, result.Finding{Rule: rule, RuleURL: "https://docs.deno.com/lint/rules/" + rule, Message: message})
	}
	if at, message, ok := place.Cut(strings.TrimPrefix(text, "file://")); ok && strings.Contains(message, " - ") || ok && strings.HasSuffix(message, ")") {
		message, rule := read.Parens.Cut(strings.TrimPrefix(message, "- "))
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		return s.Break()
	}
	if strings.HasPrefix(text, "Found ") && strings.Contains(text, " problem") {
		s.Claim(lex.LeadingNumber(text[len("Found "):]))
		return s.Close(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		s.Find(l, result.Finding{Message: message})
		s.Meaning = result.MeansUsage
		return true
	}
	if path, ok := strings.CutPrefix(l.Text, "Error linting: "); ok {
		return s.Find(l, result.Finding{Message: "could not be linted", At: &result.Location{Path: path}})
	}
	f := s.Last()
	if f == nil {
		return strings.HasPrefix(text, "Checked ")
	}
	if class, message := jserror.CutClass(text); class != "" && f.Message == "could not be linted" {
		f.Rule, f.Message = class, message
	} else if at, ok := jserror.Frame(text); ok && f.At != nil && f.At.Line == 0 {
		f.At = &at
	}
	if where, ok := strings.CutPrefix(text, "--> "); ok && f.At == nil {
		f.At = place.LastColons(where)
	}
	return s.More(l)
}
