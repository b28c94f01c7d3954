package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("appstreamcli", func(p *tool.Parser) {
	p.Is("appstreamcli", result.Lint, 1, "appstreamcli validate 0.12 to 1.0: text, yaml")
	p.Reads(tool.Format{Name: "yaml", Starts: []string{"- tag: "}, Parse: appstreamYAML.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: appstreamLine}.Parse)})
})

// appstreamYAML reads --format yaml: one key on each line, and explanations that go on in indented lines.
var appstreamYAML = read.Rows{Closes: true, Rows: []read.Row{
	{Form: "File: {path}", As: read.InPath},
	{Form: "- tag: {rule}", Fit: func(f *result.Finding) { f.Message = f.Rule }},
	{Form: "  severity: pedantic", As: read.Fill, Fit: func(f *result.Finding) { f.Severity = result.SevInfo }},
	{Form: "  severity: {severity}", As: read.Fill}, {Form: "  component: {id}", As: read.Fill}, {Form: "  line: {line}", As: read.Fill}, {Form: "  hint: {message}", As: read.Fill},
	{Form: "Passed: {}", As: read.Close},
}, Below: func(s *read.Sink, l tool.Line) bool { return s.Last() != nil && (l.Text == "" || l.Text[0] == ' ') }}

// appstreamLine reads "E: org.x.App:5: tag text", with "~" instead of a line that is not known, and the counts. The
// file is taken from the command line.
func appstreamLine(s *read.Sink, l tool.Line) bool {
	letter, rest, ok := strings.Cut(l.Text, ": ")
	where, text, told := strings.Cut(rest, ": ")
	id, line, placed := lex.CutLast(where, ":")
	switch {
	case strings.HasPrefix(l.Text, "File '") && strings.HasSuffix(l.Text, "' does not exist."):
		return s.Misuse(l, l.Text)
	case strings.Contains(l.Text, "Validation failed: ") || strings.HasPrefix(l.Text, "✔ Validation was successful"):
		if n := read.CountsBehind(l.Text); n["error"] > 0 {
			s.Claim(n["error"])
		}
		return s.Close(l)
	case ok && told && placed && letterSeverity(letter) != "" && (line == "~" || lex.IsDigits(line)):
		rule, message, _ := strings.Cut(text, " ")
		f := result.Finding{Severity: letterSeverity(letter), RawSeverity: letter, Rule: rule, ID: id, Message: message}
		if message == "" {
			f.Message = rule
		}
		if file := read.OnlyFile(s.In, ".xml"); file != "" {
			f.At = &result.Location{Path: file, Line: lex.LeadingNumber(line)}
		}
		return s.Find(l, f)
	case s.Last() != nil && strings.HasPrefix(l.Text, "   "):
		return s.More(l)
	}
	return false
}
