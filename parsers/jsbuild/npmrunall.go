package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("npm-run-all run-s run-p | npm-run-all2", func(p *tool.Parser) {
	p.Is("npm-run-all", result.Build, 1, "npm-run-all 4 and npm-run-all2 5 to 8, as run-s and run-p too: scripts that failed")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: \"…\" exited with "}, Named: true, Parse: read.Text{Line: npmRunAllLine}.Parse})
})

// npmRunAllLine reads `ERROR: "lint" exited with 1.` and `ERROR: Task not found: "nope"`.
func npmRunAllLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(strings.TrimRight(l.Text, " "), "ERROR: ")
	name, code, failed := strings.Cut(strings.TrimPrefix(message, `"`), `" exited with `)
	switch {
	case !ok:
		return false
	case failed:
		taskFailed(s, l, name, "exited with code "+strings.TrimSuffix(code, "."))
	case lex.HasAnyPrefix(message, "Task not found", "Invalid Option", "Invalid Placeholder", "No such file"):
		s.Misuse(l, message)
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	return true
}
