package vcs

import (
	"strings"

	"cairn/parsers/read"
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
