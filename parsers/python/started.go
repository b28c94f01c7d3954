package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// started returns the format of a runner's message that it could not start a program. line is
// how the message begins, and means is the meaning for the run.
func started(line string, means result.Meaning) tool.Format {
	parse := func(in *tool.Input) *tool.Report {
		return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
			ok := strings.HasPrefix(l.Text, line)
			if ok {
				s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
				s.Meaning = means
			}
			return ok
		}}.Parse(in)
	}
	return tool.Format{Name: "messages", Starts: []string{line}, Parse: parse}
}
