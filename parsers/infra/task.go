package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("task | go-task", func(p *tool.Parser) {
	p.Is("task", result.Build, 1, "Task (go-task) 3.x: tasks that failed, mistakes of the Taskfile")
	p.Runner = true
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 100: result.MeansUsage, 101: result.MeansUsage, 102: result.MeansUsage, 103: result.MeansUsage, 104: result.MeansUsage, 106: result.MeansUsage,
		107: result.MeansUsage, 200: result.MeansUsage, 202: result.MeansUsage, 203: result.MeansUsage, 204: result.MeansUsage, 206: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"task: Failed to run task "}, Named: true, Parse: read.Text{Line: taskLine}.Parse})
})

// taskLine reads task's own errors. If a task failed because of a task that it needs, the innermost is reported:
// "task: Failed to run task "all": task: Failed to run task "a": exit status 1".
func taskLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "task: ")
	if !ok {
		if lex.HasAnyPrefix(l.Text, "unknown flag: ", "unknown shorthand flag: ", "err:  ", "yaml: ") {
			return s.Misuse(l, strings.TrimPrefix(l.Text, "err:  "))
		}
		return s.Meaning == result.MeansUsage && (strings.HasPrefix(l.Text, "Usage: task ") || strings.HasPrefix(l.Text, "  ") || s.Last() == nil)
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	switch {
	case strings.HasPrefix(message, "["), strings.HasSuffix(message, "is up to date"), strings.HasSuffix(message, " started"), strings.HasSuffix(message, " finished"),
		strings.HasPrefix(message, "Available tasks"), strings.HasPrefix(message, "No tasks with description"):
		return true
	case strings.HasPrefix(message, "Failed to run task "):
		rest := message
		for strings.Contains(rest, "Failed to run task \"") {
			_, rest, _ = strings.Cut(rest, "Failed to run task \"")
		}
		f.ID, rest, _ = strings.Cut(rest, `"`)
		f.Kind, f.Severity = result.BuildError, result.SevFailure
		f.Message = "task " + f.ID + " failed: " + strings.TrimPrefix(strings.TrimPrefix(rest, ": "), "task: ")
	case strings.HasPrefix(message, "No Taskfile found"), strings.HasPrefix(message, "Task \"") && strings.Contains(message, "does not exist"):
		s.Meaning = result.MeansUsage
	case strings.Contains(message, "(ignored)"), strings.Contains(message, " but ignored error"):
		f.Severity = result.SevWarning
	}
	return s.Find(l, f)
}
