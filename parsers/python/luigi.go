package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("luigi", func(p *tool.Parser) {
	p.Is("luigi", result.Build, 1, "Luigi 3: tasks that failed, and what became of all of them, which its exit 0 does not tell")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This progress looks :"}, Parse: read.IfFound(func(in *tool.Input) *tool.Report {
		return read.Text{Line: (&luigi{files: place.NewFiles(in.Workspace)}).line}.Parse(in)
	})})
	p.Reads(read.PythonTrouble("luigi"))
})

// luigi reads a failed task with the traceback below it, and the verdict of the run:
//
//	ERROR: [pid 7] Worker Worker(salt=1, workers=1) failed    Load(day=3)
//	Traceback (most recent call last):
//
//	This progress looks :( because there were failed tasks
//
// Since a failed task may succeed when luigi tries it again, only the verdict is a failure of the run.
type luigi struct {
	files *place.Files
	trace read.Traceback
	open  bool // a task's traceback may follow
}

func (p *luigi) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	_, task, failed := strings.Cut(l.Text, " failed    ")
	verdict, why, judged := strings.Cut(l.Text, " because ")
	switch {
	case failed && strings.Contains(l.Text, "] Worker Worker("):
		s.Find(l, result.Finding{ID: task, Message: "task failed"})
		p.trace, p.open = read.Traceback{}, true
	case judged && verdict == "This progress looks :(":
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, Message: why})
		return s.Close(l)
	case judged && verdict == "This progress looks :|":
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: why})
		return s.Close(l)
	case judged && verdict == "This progress looks :)":
		return s.Close(l)
	case p.open && f != nil && p.trace.Line(l.Text):
		if s.More(l); p.trace.Whole() {
			f.Message, f.Rule, f.At, p.open = p.trace.Last, p.trace.Class(), p.trace.Own(p.files), false
		}
	default:
		s.Break()
		return false
	}
	return true
}
