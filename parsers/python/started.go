package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// started is a format of a program that runs others: it could not start one. The
// command line then names the other program.
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
