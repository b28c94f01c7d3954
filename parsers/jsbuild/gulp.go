package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gulp | gulp-cli", func(p *tool.Parser) {
	p.Is("gulp", result.Build, 1, "gulp 3 to 5: tasks that failed, with the error and its stack")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"[…] Using gulpfile "}, Named: true, Parse: read.Lines((*gulp).line)})
})

// gulp reads lines that begin with the time:
//
//	[20:04:59] 'bad' errored after 818 μs
//	[20:04:59] TypeError: disk on fire
//	    at bad (/src/gulpfile.js:3:21)
//	[20:04:59] 'build' errored after 6.39 ms
type gulp struct {
	task string // failed task whose error follows
	told bool
}

func (g *gulp) line(s *read.Sink, l tool.Line) bool {
	_, text := cutTime(l.Text)
	task, _, errored := strings.Cut(text, "' errored after ")
	class, message := jserror.CutClass(text)
	switch at, framed := jserror.Frame(strings.TrimSpace(text)); {
	case errored && strings.HasPrefix(task, "'"):
		g.task, g.told = strings.Clone(task[1:]), g.told && g.task != ""
		return s.Sign(l)
	case g.task == "" && strings.HasPrefix(text, "Task never defined: "), strings.HasPrefix(text, "No gulpfile found"), strings.HasPrefix(text, "Local gulp not found"), strings.HasPrefix(text, "Unknown argument"):
		s.Misuse(l, text)
		return s.Break()
	case strings.HasPrefix(text, "The following tasks did not complete: "):
		taskFailed(s, l, text[len("The following tasks did not complete: "):], "did not complete")
		return s.Break()
	case g.task != "" && text != l.Text && text != "":
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: g.task, Rule: class, Message: message})
		g.task = ""
		return true
	case framed && s.Last() != nil:
		if f := s.Last(); f.At == nil && at.Path != "" && !frame.IsLibrary(at.Path) {
			f.At = &at
		}
		return s.More(l)
	case text != l.Text:
		s.Break()
		s.Cover(l)
		return strings.HasPrefix(text, "Using gulpfile ")
	}
	return false
}

// cutTime splits "[20:04:59] " from a line.
func cutTime(line string) (time, text string) {
	if len(line) > 11 && line[0] == '[' && line[3] == ':' && line[6] == ':' && line[9] == ']' {
		return line[1:9], line[11:]
	}
	return "", line
}
