package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lint-staged", func(p *tool.Parser) {
	p.Is("lint-staged", result.Lint, 2, "lint-staged 10 to 16: tasks that failed, mistakes of the configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"[STARTED] Preparing lint-staged...", "[COMPLETED] Preparing lint-staged...", "✔ Preparing lint-staged...", "→ lint-staged could not find any staged files", "✖ lint-staged "}, Named: true,
		Parse: read.Text{Line: lintStagedLine}.Parse})
})

// lintStagedLine reads "✖ eslint --fix:", the line above the output of a failed task, and lint-staged's own errors.
// The tree of tasks, which a terminal shows again in every state, repeats both.
func lintStagedLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, bad := strings.CutPrefix(text, "✖ ")
	command, heads := strings.CutSuffix(said, ":")
	switch {
	case lex.HasAnyPrefix(text, "[STARTED] ", "[COMPLETED] ", "[FAILED] ", "[SKIPPED] ", "[TITLE] ", "✔ ", "❯ ", "◼ ", "→ ", "↓ ", "⚠ Running tasks ", "⚠ Skipping backup "), isSpinner(text):
		s.Sign(l)
	case strings.HasPrefix(text, "⚠ "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "⚠ ")})
		s.Break()
	case !bad || strings.HasSuffix(said, "]") || l.Text != text:
		return bad // a row of the tree
	case read.Counts(said)["problem"]+read.Counts(said)["problems"] > 0:
		return false // a line of eslint's
	case heads:
		taskFailed(s, l, command, "task failed")
	case strings.HasPrefix(said, "Task killed: "):
		taskFailed(s, l, strings.TrimPrefix(said, "Task killed: "), "task killed")
	case lex.HasAnyPrefix(said, "lint-staged failed", "Running tasks "):
	default:
		f := result.Finding{Kind: result.GenericFinding, Message: said}
		if lex.HasAnyPrefix(said, "Failed to read config", "lint-staged could not find any valid configuration", "No valid configuration", "Could not find ", "Current directory is not a git", "Failed to get ", "Invalid ", "Configuration ") || strings.Contains(said, "onfig") {
			s.Meaning = result.MeansUsage
		}
		s.Find(l, f)
	}
	return true
}

// isSpinner reports whether a row of the tree has a task that is running: "⠼ markdownlint".
func isSpinner(text string) bool {
	for _, r := range text {
		return r >= 0x2800 && r < 0x2900
	}
	return false
}
