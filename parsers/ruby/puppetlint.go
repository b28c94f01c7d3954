package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("puppet-lint", func(p *tool.Parser) {
	p.Is("puppet-lint", result.Lint, 1, "puppet-lint 2 to 4: default and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*/*"}, Clean: true, Path: "path", Line: "line", Column: "column", Rule: "check", Severity: "KIND", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: puppetLintLine}.Parse})
})

// puppetLintLine reads "WARNING: text on line 4 (check: name)". If several files were checked, the path and " - "
// stand in front.
func puppetLintLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "puppet-lint: "); ok {
		if s.Meaning = result.MeansUsage; !strings.HasPrefix(message, "try 'puppet-lint --help'") {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		}
		return true
	}
	path, text, ok := strings.Cut(l.Text, " - ")
	if !ok || strings.Contains(path, " ") {
		path, text = read.OnlyFile(s.In, ".pp"), l.Text
	}
	word, message := read.CutSeverity(text)
	at := strings.LastIndex(message, " on line ")
	if word == "" || at < 0 {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message[:at]}
	line, rule, _ := strings.Cut(message[at+len(" on line "):], " (check: ")
	if !lex.IsDigits(line) {
		return false
	}
	f.Rule = strings.TrimSuffix(rule, ")")
	f.At = &result.Location{Path: path, Line: lex.Atoi(line)}
	return s.Find(l, f)
}
