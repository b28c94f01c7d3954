package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("turbo", func(p *tool.Parser) {
	p.Is("turbo", result.Build, 1, "turbo 1.10 to 2.11: tasks that failed, mistakes of the command and of turbo.json")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"• Packages in scope: ", "ERROR  run failed: command"}, Named: true,
		Parse: read.Fresh(func(r *turbo) read.Text { return read.Text{Line: r.line, End: turboEnd} })})
})

// turbo reads turbo's own lines. A line that begins with "pkg:task: " is output of that task.
//
//	@m/core#lint:  ERROR  command (/src/packages/core) /usr/bin/npm run lint exited (1)
//	 Tasks:    1 successful, 2 total
//	Failed:    @m/core#lint
//	  x Missing tasks in project
//	  `->   x Could not find task `deploy` in project
type turbo struct {
	usage bool           // the usage of turbo follows
	warns bool           // the reason of turbo's warning follows
	told  map[string]int // index of each failed task's finding
}

func (t *turbo) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	said := strings.TrimLeft(text, "x×`╰─▶->│ ")
	if text == "" {
		t.warns = false
	}
	switch {
	case t.warns && said != text:
	case word == "ERROR" || word == "WARNING" || word == "::error::command":
		return t.said(s, l, word, strings.TrimSpace(rest))
	case strings.Contains(text, "#") && strings.HasSuffix(word, ":") && (strings.HasPrefix(strings.TrimSpace(rest), "ERROR ") || strings.HasPrefix(strings.TrimSpace(rest), "WARNING ")):
		if _, why, ok := strings.Cut(rest, " ERROR  command ("); ok {
			t.failed(s, l, strings.TrimSuffix(word, ":"), why)
		}
	case strings.HasSuffix(word, ":") && strings.Contains(word, "#") && strings.HasPrefix(rest, "command ("):
		t.failed(s, l, strings.TrimSuffix(word, ":"), strings.TrimPrefix(rest, "command ("))
	case word == "Tasks:" && strings.Contains(rest, " total"):
		counts := read.Counts(rest)
		s.Count("passed", counts["successful"])
		s.Count("total", counts["total"])
		s.Sign(l)
	case lex.HasAnyPrefix(text, "Cached: ", "Time: ", "• turbo ", "• Packages in scope: ", "• Running ", "• Remote caching "):
		s.Sign(l)
		if version, ok := strings.CutPrefix(text, "• turbo "); ok {
			s.Version = version
		}
	case word == "Failed:":
		for id := range strings.SplitSeq(rest, ",") {
			t.failed(s, l, strings.TrimSpace(id), "")
		}
	case said != "" && lex.HasAnyPrefix(l.Text, "  x ", "  × "): // deeper indented, such a line is vitest's
		s.Misuse(l, said)
	case said != text && said != "" && s.Last() != nil && s.Meaning == result.MeansUsage:
		s.Last().Message += ": " + said
		s.More(l)
	case t.usage:
		return true
	default:
		return lex.HasAnyPrefix(text, "...Finishing writing to cache") || strings.Contains(text, ": cache miss, executing ") || strings.Contains(text, ": cache hit, ")
	}
	return true
}

// said takes an error or a warning of turbo itself.
func (t *turbo) said(s *read.Sink, l tool.Line, word, text string) bool {
	switch {
	case word == "WARNING", word == "::error::command", strings.HasPrefix(text, "run failed: command"):
		t.warns = strings.HasPrefix(text, "An issue occurred ")
		s.Cover(l)
	default:
		s.Misuse(l, text)
		t.usage = strings.Contains(text, "argument") || strings.Contains(text, "subcommand")
	}
	return true
}

// failed takes a failed task. turbo reports the task when it ends, with its command, and again in the summary.
func (t *turbo) failed(s *read.Sink, l tool.Line, id, how string) {
	s.Sign(l)
	at, known := t.told[id]
	if !known {
		at = len(s.Findings)
		lex.Put(&t.told, id, at)
		taskFailed(s, l, id, "task failed")
	}
	dir, command, ok := strings.Cut(how, ") ")
	i := strings.LastIndex(command, " exited (")
	if !ok || i <= 0 || at >= len(s.Findings) {
		return
	}
	program, args, _ := strings.Cut(command[:i], " ")
	f := &s.Findings[at]
	f.Message = program[strings.LastIndexAny(program, `/\\`)+1:] + " " + args + " exited with code " + strings.TrimSuffix(command[i+len(" exited ("):], ")")
	f.At = &result.Location{Path: dir + "/package.json"}
}

// turboEnd sets the count of failed tasks.
func turboEnd(s *read.Sink) {
	if n := s.Counts["total"] - s.Counts["passed"]; n > 0 && len(s.Findings) > 0 {
		s.Count("failed", n)
	}
	delete(s.Counts, "total")
}

var _ = Room.Add("nx", func(p *tool.Parser) {
	p.Is("nx", result.Build, 1, "nx 15 to 24: targets that failed, projects and targets that are not there")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"NX   "}, Named: true, Parse: parseNx})
})

func parseNx(in *tool.Input) *tool.Report { return read.Text{Line: (&nx{}).line}.Parse(in) }

// nx reads the lines that nx and lerna themselves print:
//
//	 NX   Running target build for project @m/core failed
//	Failed tasks:
//	- @m/core:build
//	 NX   Cannot find project 'zzz'
//	lerna ERR! npm run test exited 1 in 'core'
type nx struct {
	list     string // the list whose rows follow: failed, skipped, usage or closing
	task     string // the task whose output follows
	sections map[string]*result.Span
}

func (n *nx) line(s *read.Sink, l tool.Line) bool {
	if section := n.sections[n.task]; section != nil && l.Start >= section.End {
		section.End = max(section.End, l.End)
	}
	text := strings.TrimSpace(l.Text)
	said, ok := lex.CutAnyPrefix(text, "NX   ", "Lerna (powered by Nx)   ")
	row, isRow := strings.CutPrefix(text, "- ")
	word, rest, _ := strings.Cut(strings.TrimPrefix(text, "lerna "), " ")
	switch {
	case ok:
		n.said(s, l, strings.TrimSpace(said))
	case text == "Failed tasks:":
		n.list = "failed"
	case strings.HasPrefix(text, "Tasks not run because "):
		n.list = "skipped"
	case text == "Available targets:", text == "Available projects:", text == "Pass --verbose to see the stacktrace.", strings.HasPrefix(text, "Hint: run the command with --verbose"):
	case text != "" && !isRow && n.list == "closing":
		return n.closing(text)
	case isRow && n.list == "failed":
		taskFailed(s, l, row, "task failed")
		if section := n.sections[row]; section != nil {
			s.Last().RawSpan = section
		}
	case isRow && n.list == "skipped":
		s.Count("skipped", 1)
	case isRow && n.list == "usage" && s.Last() != nil:
		s.More(l)
	case strings.HasPrefix(text, "Run duration: "):
		s.Sign(l)
		n.list, n.task = "closing", ""
	case strings.HasPrefix(text, "> nx run ") || l.Text == text && n.isHead(text):
		n.begin(l, strings.TrimPrefix(strings.TrimPrefix(text, "> "), "nx run "))
		s.Sign(l)
	case lex.HasAnyPrefix(text, "✔  nx run ", "[isolated-plugin] ", "[plugin-worker] "):
		s.Sign(l)
	case strings.HasPrefix(text, "lerna ") && word == "ERR!":
		n.err(s, l, rest)
	case strings.HasPrefix(text, "lerna ") && (word == "notice" || word == "info" || word == "success" || word == "WARN"):
		s.Sign(l)
		if word == "notice" && strings.HasPrefix(rest, "cli v") {
			s.Version = rest[len("cli v"):]
		}
	default:
		return text == "" && n.list != ""
	}
	return true
}

// isHead reports whether a line is lerna's head above a task's output, "> core:build". npm shows a script as
// "> core@1.0.0 build".
func (n *nx) isHead(text string) bool {
	id, ok := strings.CutPrefix(text, "> ")
	return ok && !strings.Contains(id, " ") && strings.Contains(id, ":")
}

// begin notes the span of a task's output, so that other tools' findings in it can explain why the task failed.
func (n *nx) begin(l tool.Line, id string) {
	n.task, _, _ = strings.Cut(id, "  [")
	lex.Put(&n.sections, n.task, &result.Span{Start: l.Start, End: l.End})
}

// said takes a headline, the text behind "NX   ".
func (n *nx) said(s *read.Sink, l tool.Line, text string) {
	n.list, n.task = "", ""
	s.Sign(l)
	switch {
	case lex.HasAnyPrefix(text, "Running target", "Successfully ran ", "Ran target"):
	case lex.HasAnyPrefix(text, "Cannot find ", "Could not find ", "No projects ", "No targets ", "Both ", "Unknown ", "Invalid ", "The \"", "Unable to ", "Failed to process", "Missing "):
		s.Misuse(l, text)
		n.list = "usage"
	}
}

// closing takes the lines about time below "Run duration: ".
func (n *nx) closing(text string) bool {
	if lex.HasAnyPrefix(text, "Cache: ", "Critical path: ", "Recoverable time: ", "Recommendations:", "@", "- ") || strings.HasSuffix(text, "s") {
		return true
	}
	n.list = ""
	return false
}

// err takes "lerna ERR! CODE text", and the failed script as lerna up to 5 prints it.
func (n *nx) err(s *read.Sink, l tool.Line, text string) {
	script, where, failed := strings.Cut(text, " in '")
	switch _, code, _ := strings.Cut(script, " exited "); {
	case failed && isExit(code):
		taskFailed(s, l, strings.TrimSuffix(where, "'"), script)
	case failed, text == "", lex.HasAnyPrefix(text, "lerna ", "npm ", "This is probably not a problem"):
	case s.Last() != nil:
		s.More(l)
	default:
		rule, message, ok := strings.Cut(text, " ")
		if !ok || strings.ToUpper(rule) != rule {
			rule, message = "", text
		}
		s.Refuse(l, result.Finding{Kind: result.GenericFinding, Rule: rule, Message: message})
	}
}
