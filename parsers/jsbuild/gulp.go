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

var _ = Room.Add("grunt | grunt-cli", func(p *tool.Parser) {
	p.Is("grunt", result.Build, 1, "grunt 0.4 to 1.6: tasks that failed and why")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"Aborted due to warnings.", "Running \"…\" task", "Running \"…) task"}, Named: true, Parse: read.Lines((*grunt).line)})
})

// grunt reads grunt's own lines between the output of its tasks:
//
//	Running "jshint:all" (jshint) task
//	>> shelf is full
//	Warning: Task "jshint:all" failed. Use --force to continue.
type grunt struct {
	task string
	said string // the first text behind ">>" in the current task
	load bool   // loading the Gruntfile failed; the reason follows
}

func (g *grunt) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(text, "Running \""); ok && strings.HasSuffix(text, " task") {
		task, _, _ := strings.Cut(rest, "\"")
		g.task, g.said = strings.Clone(task), ""
		return s.Sign(l)
	}
	said, marked := strings.CutPrefix(text, ">> ")
	warning, warned := strings.CutPrefix(text, "Warning: ")
	fatal, died := strings.CutPrefix(text, "Fatal error: ")
	switch {
	case strings.HasPrefix(text, "Loading \"") && strings.HasSuffix(text, "...ERROR"):
		g.load = true
		return s.Sign(l)
	case marked && g.load:
		class, message := jserror.CutClass(said)
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message, At: &result.Location{Path: "Gruntfile.js"}})
		g.load = false
		return s.Break()
	case marked:
		if g.said == "" {
			g.said = strings.Clone(said)
		}
		return false
	case warned && (strings.HasSuffix(text, " Use --force to continue.") || strings.HasSuffix(text, " Used --force, continuing.")), died:
		forced := strings.HasSuffix(text, " Used --force, continuing.")
		g.stopped(s, l, strings.TrimSuffix(strings.TrimSuffix(warning+fatal, " Use --force to continue."), " Used --force, continuing."))
		if f := s.Last(); forced && f != nil {
			f.Severity = result.SevWarning
		}
		return s.Break()
	case text == "Aborted due to warnings.", text == "Done.", text == "Done, but with warnings.":
		return s.Close(l)
	}
	return false
}

// stopped adds a finding for a failed task, with the task's own words if it printed any.
func (g *grunt) stopped(s *read.Sink, l tool.Line, why string) {
	switch {
	case strings.HasPrefix(why, "Task \"") && strings.HasSuffix(why, "\" not found."), strings.HasPrefix(why, "Unable to find "):
		if len(s.Findings) == 0 {
			s.Misuse(l, why)
		}
	case g.task == "":
		s.Find(l, result.Finding{Kind: result.BuildError, Message: why})
	default:
		if g.said != "" && strings.HasPrefix(why, "Task \"") {
			why = g.said
		}
		taskFailed(s, l, g.task, why)
	}
}
