package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ls-lint ls_lint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "ls-lint", Kind: result.Lint, Version: 1,
		About:    "ls-lint 1.10 to 2: default",
		Programs: []string{"ls-lint"},
		Formats:  []tool.Format{{Name: "text", Parse: read.Text{Line: lsLintLine}.Parse}},
	}
})

// lsLintLine reads "src/BadName.js failed for `.js` rules: kebabcase", which older
// versions print behind the time of day.
func lsLintLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if len(text) > 20 && text[4] == '/' && text[19] == ' ' {
		text = text[20:]
	}
	path, rest, ok := strings.Cut(text, " failed for ")
	_, rules, told := strings.Cut(rest, "rules: ")
	switch {
	case ok && told:
		return s.Find(l, result.Finding{Rule: rules, Message: "failed for " + rest, At: &result.Location{Path: path}})
	case strings.HasPrefix(text, "open ") && strings.HasSuffix(text, ": no such file or directory"):
		return s.Misuse(l, text)
	}
	return false
}
