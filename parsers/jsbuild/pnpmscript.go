package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// pnpmScript reads what pnpm says of the scripts that it runs. In a workspace their
// lines stand behind the package and the script, and are told apart by that.
//
//	packages/a lint$ eslint .
//	packages/a lint: Failed
//	[ELIFECYCLE] Command failed with exit code 1.
func pnpmScript(s *read.Sink, l tool.Line, text string) bool {
	head, state, _ := strings.Cut(text, ": ")
	failed, ok := strings.CutPrefix(strings.TrimPrefix(text, "["), "ELIFECYCLE")
	switch {
	case ok:
		why := strings.Trim(strings.TrimPrefix(failed, "]"), " \u2009")
		if f := s.Last(); f != nil && f.Message == "task failed" {
			f.Message = why
			s.More(l)
		} else if s.Path == "" {
			taskFailed(s, l, "", why)
		} // else of a task whose lines stand apart, and whose tools tell why
		s.Break()
	case isPnpmTask(head) && state == "Failed":
		taskFailed(s, l, head, "task failed")
	case isPnpmTask(head) && state == "Done":
		s.Break()
	default:
		name, _, echo := strings.Cut(text, "$ ")
		if echo = echo && isPnpmTask(name) || strings.HasPrefix(text, "Scope: ") && strings.HasSuffix(text, " workspace projects"); echo {
			s.Path = "workspace"
		}
		return echo
	}
	return true
}

// isPnpmTask: "packages/a lint", "." being the top of the workspace.
func isPnpmTask(text string) bool {
	dir, script, ok := strings.Cut(text, " ")
	return ok && script != "" && !strings.Contains(script, " ") && (strings.Contains(dir, "/") || dir == "." || !strings.ContainsAny(dir, ".:")) && !strings.ContainsAny(text, "'\"()=,")
}
