package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkbashisms", func() *tool.Parser {
	return &tool.Parser{
		Tool: "checkbashisms", Kind: result.Lint, Version: 1,
		About: "checkbashisms of devscripts",

		Formats: []tool.Format{
			{Name: "text", Starts: []string{"possible bashism in "}, Parse: read.Text{Line: bashismLine}.Parse},
			{Name: "text", Parse: read.Text{Line: bashismLine}.Parse},
		},
	}
})

// bashismLine reads "possible bashism in F line 3 (why):" and the source below it.
func bashismLine(s *read.Sink, l tool.Line) bool {
	text, bashism := strings.CutPrefix(l.Text, "possible bashism in ")
	file, rest, line := strings.Cut(text, " line ")
	number, why, told := strings.Cut(rest, " (")
	switch {
	case bashism && line && told:
		at, _, _ := place.Cut(file + ":" + number + ": ")
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimSuffix(strings.TrimSuffix(why, ":"), ")"), At: &at})
	case strings.HasPrefix(l.Text, "cannot open script "), strings.HasPrefix(l.Text, "script ") && strings.Contains(l.Text, " does not appear to "), strings.HasPrefix(l.Text, "could not find any possible bashisms in bash script "):
		s.Misuse(l, l.Text)
	case s.Last() != nil && s.Last().At != nil && s.Last().Detail == "":
		s.More(l)
	default:
		return false
	}
	return true
}
