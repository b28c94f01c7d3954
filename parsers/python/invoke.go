package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("invoke inv | fab", func(p *tool.Parser) {
	p.Is("invoke", result.Build, 1, "invoke and fabric 2: what is no task; a command that failed prints what it prints")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: invokeLine}.Parse)})
})

// invokeLine reads "No idea what 'nope' is!", and the report of a failed command whose
// output was hidden: "Encountered a bad command exit code!", "Command: 'make'".
func invokeLine(s *read.Sink, l tool.Line) bool {
	usage := strings.HasPrefix(l.Text, "No idea what '") && strings.HasSuffix(l.Text, "' is!") || strings.HasPrefix(l.Text, "Can't find any collection named '") ||
		strings.HasPrefix(l.Text, "'") && strings.Contains(l.Text, "' did not receive ")
	switch {
	case usage:
		return s.Misuse(l, l.Text)
	case l.Text == "Encountered a bad command exit code!":
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	case s.Last() != nil && s.Last().Kind == result.BuildError && strings.HasPrefix(l.Text, "Command: "):
		s.Last().Message = "command failed: " + strings.TrimPrefix(l.Text, "Command: ")
		return s.More(l)
	}
	return false
}
