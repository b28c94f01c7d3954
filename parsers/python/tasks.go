package python

import (
	"strings"

	"cairn/parsers/read"
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

var parseDoit = read.Lines((*doit).line)

// doit reads the name of a task that failed, and why below it:
//
//	TaskFailed - taskid:bad
//	Command failed: 'exit 3' returned 3
//
//	TaskError - taskid:boom
//	PythonAction Error
//	Traceback (most recent call last):
type doit struct {
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
			f.Message, f.Rule, f.At = p.trace.Last, p.trace.Class(), p.trace.Own(s.Files())
		}
	default:
		if lex.HasAnyPrefix(l.Text, "Command ", "Python Task ") || strings.HasPrefix(l.Text, "ERROR: ") {
			f.Message = strings.TrimPrefix(l.Text, "ERROR: ")
		}
		s.More(l)
	}
	return true
}

var _ = Room.Add("luigi", func(p *tool.Parser) {
	p.Is("luigi", result.Build, 1, "Luigi 3: tasks that failed, and what became of all of them, which its exit 0 does not tell")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This progress looks :"}, Parse: read.IfFound(read.Lines((*luigi).line))})
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
			f.Message, f.Rule, f.At, p.open = p.trace.Last, p.trace.Class(), p.trace.Own(s.Files()), false
		}
	default:
		s.Break()
		return false
	}
	return true
}

var _ = Room.Add("scons", func(p *tool.Parser) {
	p.Is("scons", result.Build, 1, "SCons 3 and 4: targets that failed, mistakes in an SConstruct")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"scons: *** "}, Named: true, Parse: read.IfFound(read.Text{Line: sconsLine}.Parse)})
})

// sconsLine reads "scons: *** [x.o] Error 1", and an exception raised by an SConstruct:
//
//	NameError: name 'Env' is not defined:
//	  File "/src/SConstruct", line 1:
//	    env = Env()
func sconsLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "scons: *** ")
	f := s.Last()
	switch {
	case ok && strings.HasPrefix(text, "["):
		target, why, _ := strings.Cut(text[1:], "] ")
		return s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: why})
	case ok:
		return s.Refuse(l, result.Finding{Kind: result.BuildError, Message: text})
	case strings.HasPrefix(l.Text, "scons: "):
		return s.Break()
	case f != nil && strings.HasPrefix(strings.TrimSpace(l.Text), `File "`):
		path, number, _ := strings.Cut(strings.TrimSpace(l.Text)[len(`File "`):], `", line `)
		if f.At == nil && !strings.Contains(path, "/SCons/") {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(number)}
		}
		return s.More(l)
	case f != nil && strings.HasPrefix(l.Text, "  "):
		return s.More(l)
	}
	class, message, raised := strings.Cut(strings.TrimSuffix(l.Text, ":"), ": ")
	if raised && strings.HasSuffix(class, "Error") && lex.IsIdentifier(class) && strings.HasSuffix(l.Text, ":") {
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	}
	return false
}
