package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rake", func(p *tool.Parser) {
	p.Is("rake", result.Pipeline, 1, "Rake 12 and 13: the task that failed")
	p.Matches = func([]string) bool { return false } // the tools that tasks run report more than rake
	p.Reads(tool.Format{Name: "text", Starts: []string{"rake aborted!", "(See full trace by running task with --trace)"}, Parse: read.Text{Line: rakeLine}.Parse})
})

// rakeLine reads "rake aborted!" and the lines below: a message, frames, the tasks that led there.
func rakeLine(s *read.Sink, l tool.Line) bool {
	last := s.Last()
	switch {
	case l.Text == "rake aborted!":
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: ""})
	case last == nil && (strings.HasPrefix(l.Text, "Command failed with status (") || strings.HasPrefix(l.Text, "Tasks: TOP => ")): // "| tail" cut "rake aborted!"
		message, _ := strings.CutPrefix(l.Text, "Tasks: TOP => ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		if message != l.Text {
			s.Last().ID, s.Last().Message = message, "failed"
		}
		return true
	case last == nil:
		return false
	case strings.HasPrefix(l.Text, "Tasks: TOP => "):
		last.ID = strings.TrimPrefix(l.Text, "Tasks: TOP => ")
	case strings.HasPrefix(l.Text, "(See full trace by "):
		return s.Close(l)
	case last.Message == "":
		last.Message = l.Text
	default:
		if at, ok := frame.Ruby(l.Text); ok && last.At == nil && read.Own(s.In, []result.Location{at}) != nil {
			last.At = &at
		}
	}
	return s.More(l)
}
