package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doit", func(p *tool.Parser) {
	p.Is("doit", result.Build, 1, "doit 0.3x: tasks that failed")
	p.Runner = true
	p.Exits = map[int]result.Meaning{3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"TaskFailed - taskid:", "TaskError - taskid:", "DependencyError - taskid:", "UnmetDependency - taskid:"}, Parse: parseDoit})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseDoit)})
})

func parseDoit(in *tool.Input) *tool.Report {
	return read.Text{Line: (&doit{files: place.NewFiles(in.Workspace)}).line}.Parse(in)
}

// doit reads the name of a task that failed, and why below it:
//
//	TaskFailed - taskid:bad
//	Command failed: 'exit 3' returned 3
//
//	TaskError - taskid:boom
//	PythonAction Error
//	Traceback (most recent call last):
type doit struct {
	files *place.Files
	trace read.Traceback
}

func (p *doit) line(s *read.Sink, l tool.Line) bool {
	kind, task, ok := strings.Cut(l.Text, " - taskid:")
	f := s.Last()
	switch {
	case ok && !strings.Contains(kind, " "):
		s.Find(l, result.Finding{Kind: result.BuildError, ID: task, Message: kind})
		p.trace = read.Traceback{}
	case strings.HasPrefix(l.Text, "ERROR: ") && f == nil:
		s.Misuse(l, strings.TrimPrefix(l.Text, "ERROR: "))
	case f == nil || l.Text == "":
		s.Break()
		return false
	case p.trace.Line(l.Text):
		if s.More(l); p.trace.Whole() {
			f.Message, f.Rule, f.At = p.trace.Last, p.trace.Class(), p.trace.Own(p.files)
		}
	default:
		if lex.HasAnyPrefix(l.Text, "Command ", "Python Task ") || strings.HasPrefix(l.Text, "ERROR: ") {
			f.Message = strings.TrimPrefix(l.Text, "ERROR: ")
		}
		s.More(l)
	}
	return true
}
