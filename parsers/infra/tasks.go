package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("just", func(p *tool.Parser) {
	p.Is("just", result.Build, 1, "just 1.x: recipes that failed, mistakes of the justfile")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"error: Recipe `", "error: recipe `"}, Named: true, Parse: read.Text{Line: justLine}.Parse})
})

// justLine reads "error: recipe `build` failed on line 5 with exit code 1" ("Recipe" before 1.43), and errors in the
// justfile, with the place below.
func justLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "error: ")
	text := strings.TrimSpace(l.Text)
	switch {
	case ok && (strings.HasPrefix(strings.ToLower(message), "recipe `")):
		_, rest, _ := strings.Cut(message, "`")
		name, how, _ := strings.Cut(rest, "`")
		f := result.Finding{Kind: result.GenericFinding, ID: name, Message: message}
		if !strings.Contains(how, "failed") && !strings.Contains(how, "terminated") && !strings.Contains(how, "could not be run") {
			s.Meaning = result.MeansUsage
		} else {
			f.Kind, f.Severity = result.BuildError, result.SevFailure
		}
		return s.Find(l, f)
	case ok:
		return s.Misuse(l, message)
	case s.Last() == nil:
		return false
	case strings.HasPrefix(text, "——▶ "), strings.HasPrefix(text, "--> "):
		_, where, _ := strings.Cut(text, " ")
		if at, _, ok := place.Cut(where); ok {
			s.Last().At = &at
		}
		s.Last().Kind = result.BuildError
		return true
	case strings.Contains(l.Text, "│") || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "Did you mean") || strings.HasPrefix(l.Text, " ") || strings.HasPrefix(text, "usage:"):
		return s.More(l)
	case text == "", strings.HasPrefix(text, "Usage: "), strings.HasPrefix(text, "For more information"):
		return s.Meaning == result.MeansUsage
	}
	s.Break()
	return false
}

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
