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
		if t.told == nil {
			t.told = map[string]int{}
		}
		at = len(s.Findings)
		t.told[id] = at
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
