package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cz | commitizen git-cz", func(p *tool.Parser) {
	p.Is("commitizen", result.Lint, 1, "commitizen 2 to 4: cz check, cz bump")
	p.Exits = map[int]result.Meaning{13: result.MeansUsage, 14: result.MeansFindings, 18: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"commit validation: failed!"}, Parse: read.Text{Line: czLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: czLine}.Parse)})
	p.Reads(read.PythonTrouble("cz"))
})

// czLine reads `commit "270cb605": "bad one`, whose quotation may end on a later line, and "[NO_VERSION_SPECIFIED]"
// with the reason below.
func czLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	id, message, ok := strings.Cut(strings.TrimPrefix(text, `commit "`), `": "`)
	switch {
	case ok && strings.HasPrefix(text, `commit "`):
		return s.Find(l, result.Finding{ID: id, Message: strings.TrimSuffix(message, `"`)})
	case strings.HasPrefix(text, `"pattern: `) && s.Last() != nil, strings.HasPrefix(text, `pattern: `) && s.Last() != nil:
		s.More(l)
		return s.Break()
	case text == "commit validation: failed!", strings.HasPrefix(text, "please enter a commit message in the commitizen format"):
		return s.Sign(l)
	case text == "Commit validation: successful!":
		return s.Close(l)
	case len(text) > 4 && text[0] == '[' && text[len(text)-1] == ']' && strings.Trim(text[1:len(text)-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.Trim(text, "[]"), Message: text})
		s.Meaning = result.MeansUsage
		return true
	case s.Last() != nil && s.Meaning == result.MeansUsage && text != "":
		if s.Last().Message == "["+s.Last().Rule+"]" {
			s.Last().Message = text
		}
		return s.More(l)
	}
	return false
}

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
