package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// input is what a program printed, under its own name.
func input(command, stdout, stderr string) *tool.Input {
	return &tool.Input{Shell: command, Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/w", Dir: "/w"}}
}

// told are the findings of a report, one a line, and "complete" behind them.
func told(r *tool.Report) (all []string) {
	if r == nil {
		return []string{"declined"}
	}
	for _, f := range r.Findings {
		at := "-"
		if f.At != nil {
			at = f.At.String()
		}
		all = append(all, fmt.Sprintf("%s %s %s|%s|%s", f.Severity, at, f.Rule, f.Message, strings.ReplaceAll(f.Detail, "\n", "⏎")))
	}
	if r.Complete {
		all = append(all, "complete")
	}
	return all
}

func tells(t *testing.T, what string, r *tool.Report, want ...string) {
	t.Helper()
	if got := told(r); !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
