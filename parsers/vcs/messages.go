package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of the messages of commits.

var _ = Room.Add("gitlint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "gitlint", Kind: result.Lint, Version: 1,
		About: "gitlint 0.1x: default, -v, of one commit or of several; it exits with the number of violations",

		Exits:   map[int]result.Meaning{252: result.MeansUsage, 253: result.MeansUsage, 254: result.MeansUsage, 255: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: gitlintLine}.Parse}, read.PythonTrouble("gitlint")},
	}
})

// gitlintLine reads `1: T1 Title exceeds max length (85>72): "text"`, where the
// number is a line of the message, and "Commit 270cb60554:" above those of one.
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
	s.Find(l, f)
	return true
}

var _ = Room.Add("cz commitizen git-cz", func() *tool.Parser {
	return &tool.Parser{
		Tool: "commitizen", Kind: result.Lint, Version: 1,
		About:    "commitizen 2 to 4: cz check, cz bump",
		Programs: []string{"cz"},
		Exits:    map[int]result.Meaning{13: result.MeansUsage, 14: result.MeansFindings, 18: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"commit validation: failed!"}, Parse: read.Text{Line: czLine}.Parse},
			{Name: "text", Parse: read.IfFound(read.Text{Line: czLine}.Parse)}, read.PythonTrouble("cz"),
		},
	}
})

// czLine reads `commit "270cb605": "bad one`, whose quotation ends below, and
// "[NO_VERSION_SPECIFIED]" with the reason under it.
func czLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	id, message, ok := strings.Cut(strings.TrimPrefix(text, `commit "`), `": "`)
	switch {
	case ok && strings.HasPrefix(text, `commit "`):
		s.Find(l, result.Finding{ID: id, Message: strings.TrimSuffix(message, `"`)})
	case strings.HasPrefix(text, `"pattern: `) && s.Last() != nil, strings.HasPrefix(text, `pattern: `) && s.Last() != nil:
		s.More(l)
		s.Break()
	case text == "commit validation: failed!", strings.HasPrefix(text, "please enter a commit message in the commitizen format"):
		s.Sign(l)
	case text == "Commit validation: successful!":
		s.Close(l)
	case len(text) > 4 && text[0] == '[' && text[len(text)-1] == ']' && strings.Trim(text[1:len(text)-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.Trim(text, "[]"), Message: text})
		s.Meaning = result.MeansUsage
	case s.Last() != nil && s.Meaning == result.MeansUsage && text != "":
		if s.Last().Message == "["+s.Last().Rule+"]" {
			s.Last().Message = text
		}
		s.More(l)
	default:
		return false
	}
	return true
}
