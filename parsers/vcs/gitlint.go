package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gitlint", func(p *tool.Parser) {
	p.Is("gitlint", result.Lint, 1, "gitlint 0.1x: default, -v, of one commit or of several; it exits with the number of violations")
	p.Exits = map[int]result.Meaning{252: result.MeansUsage, 253: result.MeansUsage, 254: result.MeansUsage, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: gitlintLine}.Parse})
	p.Reads(read.PythonTrouble("gitlint"))
})

// gitlintLine reads `1: T1 Title exceeds max length (85>72): "text"`, where 1 is a line of the commit's message, and
// "Commit 270cb60554:" above the problems of a commit.
func gitlintLine(s *read.Sink, l tool.Line) bool {
	if commit, ok := strings.CutPrefix(l.Text, "Commit "); ok && strings.HasSuffix(commit, ":") {
		s.Path = strings.TrimSuffix(commit, ":")
		return true
	}
	number, rest, _ := strings.Cut(l.Text, ": ")
	rule, message, ok := strings.Cut(rest, " ")
	if !ok || (!lex.IsDigits(number) && number != "-") || len(rule) < 2 || !lex.IsDigits(rule[len(rule)-1:]) || strings.ToUpper(rule) != rule {
		return false
	}
	text, quoted, _ := strings.Cut(message, `: "`)
	f := result.Finding{ID: s.Path, Rule: rule, Message: text}
	if quoted != "" {
		f.Detail = number + ": " + strings.TrimSuffix(quoted, `"`)
	}
	return s.Find(l, f)
}
