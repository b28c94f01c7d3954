package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "gunicorn", Kind: result.Generic, Version: 1,
		About:   "gunicorn 20 and later: why it could not start",
		Matches: tool.Runs("gunicorn"), Programs: []string{"gunicorn"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "log", Parse: func(in *tool.Input) *tool.Report {
				return read.Text{Line: gunicorn{}.line}.Parse(in)
			}},
		},
	}
})

// gunicorn reads the errors of its log, each of them once, since it tries again and
// again; what it says of its own end tells nothing:
//
//	[2026-11-22 23:08:59 +0000] [18499] [ERROR] Can't connect to ('1.2.3.4', 8000)
//	Failed to find attribute 'app' in 'shop'.
//	[2026-11-22 23:08:59 +0000] [18490] [ERROR] Reason: App failed to load.
type gunicorn map[string]bool

// gunicornEnds begin what follows from another trouble.
var gunicornEnds = [...]string{"Exception in worker process", "Worker (pid:", "Shutting down: ", "Reason: ", "Retrying in "}

func (g gunicorn) line(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(l.Text, "] [ERROR] ")
	if ok = ok && strings.HasPrefix(head, "[") && strings.Contains(head, "] ["); !ok && strings.HasPrefix(l.Text, "Failed to find attribute '") {
		message, ok = l.Text, true
	}
	if !ok {
		return strings.HasPrefix(l.Text, "[") && strings.Contains(l.Text, "] [INFO] ")
	}
	for _, end := range gunicornEnds {
		if strings.HasPrefix(message, end) {
			return true
		}
	}
	if !g[message] {
		g[message] = true
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Break()
	}
	return true
}
