package parsers

import (
	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// ofShell is what a line gives whose output was stdout.
func ofShell(line, stdout string, exit int) *result.ToolResult {
	in := tool.Input{Shell: line, Workspace: result.Workspace{Root: "/src", Dir: "/src"}, Source: term.Separate([]byte(stdout), nil)}
	return casetest.ParseKnown(in, result.Exit{Observed: true, Code: exit})
}

func locationsOf(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		all = append(all, f.Location)
	}
	return all
}
