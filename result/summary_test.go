package result

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSummarise(t *testing.T) {
	code := func(n int) *int { return &n }
	for _, tt := range []struct {
		name string
		r    ToolResult
		want string
	}{
		{"pytest", ToolResult{Kind: Test, Status: Failed, ExitCode: code(1), Counts: map[string]int{"skipped": 1, "passed": 4, "failed": 13, "xpassed": 0}}, "13 failed, 4 passed, 1 skipped"},
		{"nouns", ToolResult{Kind: Lint, Status: Failed, ExitCode: code(1), Counts: map[string]int{"warning": 1, "error": 2, "suites_failed": 1, "zebra_x": 3}}, "2 errors, 1 suite failed, 1 warning, 3 zebra x"},
		{"a key of marks", ToolResult{Kind: Lint, Status: Failed, ExitCode: code(1), Counts: map[string]int{"_": 1, "error": 1}}, "1 error, 1"},
		{"one error", ToolResult{Kind: Lint, Status: Failed, ExitCode: code(1), Counts: map[string]int{"warning": 2, "error": 1}}, "1 error, 2 warnings"},
		{"nothing but an exit", ToolResult{Kind: Generic, Status: Failed, ExitCode: code(2)}, "exit 2"},
		{"nothing, good", ToolResult{Kind: Generic, Status: OK, ExitCode: code(0)}, "exit 0"},
		{"signal", ToolResult{Status: Error, Signal: "SIGKILL"}, "killed by SIGKILL"},
		{"timeout", ToolResult{Status: Error, Signal: "SIGKILL", TimedOut: true, Counts: map[string]int{"passed": 4}}, "timed out, 4 passed"},
		{"usage", ToolResult{Status: Error, ExitCode: code(4), ExitMeaning: MeansUsage}, "exit 4 (usage)"},
		{"not found", ToolResult{Status: Error, ExitCode: code(127), ExitMeaning: MeansNotFound}, "exit 127 (command not found)"},
		{"not observed", ToolResult{Status: Unknown, Partial: true}, "exit not observed, partial"},
		{"the log looks passed", ToolResult{Kind: Test, Status: Failed, ExitCode: code(1), Counts: map[string]int{"passed": 4}}, "4 passed, exit 1"},
		{"the pipe swallowed it", ToolResult{Kind: Test, Status: Failed, StatusSource: FromFindings, ExitCode: code(0), Counts: map[string]int{"passed": 4}, Findings: []Finding{{Severity: SevFailure}}}, "4 passed, 1 failed"},
		{"findings without counts", ToolResult{Kind: Lint, Status: Failed, ExitCode: code(1), Findings: []Finding{{Severity: SevError}, {Severity: SevInfo}}}, "1 error, 1 info"},
		{"only warnings", ToolResult{Kind: Lint, Status: Failed, ExitCode: code(1), Findings: []Finding{{Severity: SevWarning}}}, "1 warning, exit 1"},
		{"no tests", ToolResult{Kind: Test, Status: OK, ExitCode: code(0), Counts: map[string]int{"passed": 0}}, "no tests ran"},
		{"no tests, failing", ToolResult{Kind: Test, Status: Failed, ExitCode: code(5), ExitMeaning: MeansNoTests}, "no tests ran, exit 5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Summarise(&tt.r); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A summary is one line, never empty, and never reads like a success when the
// status is no status.
func TestSummariseHonest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawResult(t)
		if rapid.Bool().Draw(t, "only good counts") {
			r.Counts = map[string]int{"passed": rapid.IntRange(0, 3).Draw(t, "passed")}
		}
		Seal(r, Workspace{})
		s := Summarise(r)
		if s == "" || CleanLine(s) != s {
			t.Fatalf("%q", s)
		}
		if r.Status == Passed || r.Status == OK {
			return
		}
		for _, bad := range []string{"failed", "error", "exit", "killed", "timed out"} {
			if strings.Contains(s, bad) {
				return
			}
		}
		t.Fatalf("%s reads %q", r.Status, s)
	})
}
