package engine

import (
	"cmp"
	"slices"
	"strings"

	"cairn/result"
)

// This file is about command lines that only show what a file or a history holds: nothing of it happened in this run.

// ownTrouble keeps what programs that show documents say themselves: "cat: a.go: No such file or directory".
func (s *Session) ownTrouble(parts []*claim) []*claim {
	parts = slices.DeleteFunc(parts, func(m *claim) bool { return !slices.Contains(s.named, m.parser) })
	if len(parts) == 0 {
		parts = s.withDiagnostics(nil)
	}
	return slices.DeleteFunc(parts, func(m *claim) bool {
		if m.shape {
			m.report.Findings = slices.DeleteFunc(m.report.Findings, func(f result.Finding) bool {
				who, _, _ := strings.Cut(f.Message, ": ")
				return !s.command.Runs(who)
			})
		}
		return len(m.report.Findings) == 0
	})
}

// onlyShown takes back the verdict of tools whose output stands in a file, a difference or a history that the line does no
// more than show: nothing ran. What the programs that show it say themselves counts.
func (s *Session) onlyShown(r *result.ToolResult, parts []*claim, exit result.Exit) bool {
	named := s.table.allNamed(s.command)
	own := func(m *claim) bool {
		return (m.parser.Family == "shell" || slices.Contains(named, m.parser)) && s.command.Unheard(m.parser.Matches)
	}
	if failing(exit) || len(parts) == 0 || !s.command.OnlyShows() || slices.ContainsFunc(parts, own) {
		return false
	}
	for i := range r.Findings {
		r.Findings[i].Source = cmp.Or(r.Findings[i].Source, parts[0].parser.Tool)
	}
	result.SetExtra(&r.Extra, "shown", parts[0].parser.Tool)
	if r.Status != result.Unknown {
		r.Status, r.StatusSource = result.OK, result.FromExit
	}
	r.Tool, r.ToolFamily, r.ToolVersion, r.Kind = s.command.Program(), "", "", result.Generic
	return true
}
