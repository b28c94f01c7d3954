package tap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/tool"
)

// TestParse: what fails, what is counted, and when an output is complete.
func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"plain":            {"TAP version 13\n1..3\nok 1 - adds\nnot ok 2 - divides\nok 3 - later # SKIP no\n", []string{"divides", "failed 1", "passed 1", "skipped 1", "complete"}},
		"plan behind":      {"not ok 1 a\n1..1\n", []string{"a", "failed 1", "complete"}},
		"still to be done": {"1..1\nnot ok 1 - soon # TODO\n", []string{"todo 1", "complete"}},
		"plan not kept":    {"1..3\nok 1 - a\n", []string{"plan", "passed 1"}},
		"bail out":         {"1..2\nok 1 - a\nBail out! no disk\n", []string{"Bail out! no disk", "passed 1"}},
		"subtests":         {"TAP version 14\n# Subtest: outer\n    not ok 1 - inner\n    1..1\nnot ok 1 - outer\n1..1\n", []string{"outer › inner", "failed 1", "complete"}},
		"indented by one":  {"ok 1 - a\n 1..1\n ok 1 - y\nnot ok 2 - s\nnot ok 3 - t\n1..3\n", []string{"s", "t", "failed 2", "passed 2"}}, // four blanks are a subtest's
		"such a one first": {" 1..1\n ok 1 - y\nnot ok 1 - s\n1..1\n", []string{"s", "failed 1", "passed 1", "complete"}},
		"no tests":         {"TAP version 13\n1..0\n", []string{"complete", "no tests"}},
		"another output":   {"all ok\n", []string{"declined"}},
		"points alone":     {"ok 1 - a\nnot ok 2 - b\n", []string{"declined"}},
	} {
		if got := summary(Parse(&tool.Input{Source: tool.Separate([]byte(c.text), nil)})); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func summary(r *tool.Report) (all []string) {
	if r == nil {
		return []string{"declined"}
	}
	for _, f := range r.Findings {
		id := f.ID
		if id == "" {
			id = f.Message
		}
		all = append(all, id)
	}
	var counts []string
	for key, n := range r.Counts {
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", key, n))
		}
	}
	slices.Sort(counts)
	all = append(all, counts...)
	if r.Complete {
		all = append(all, "complete")
	}
	if r.NoTests {
		all = append(all, "no tests")
	}
	return all
}

// TestReasons: why a test failed stands in a block of YAML, or in comments.
func TestReasons(t *testing.T) {
	for name, c := range map[string]struct{ text, place, says string }{
		"yaml":     {"1..1\nnot ok 1 - a\n  ---\n  message: says no\n  at: test/a.js:3:7\n  ...\n", "test/a.js:3:7", "says no"},
		"comments": {"1..1\nnot ok 1 - a\n#   Failed test 'a'\n#   at t/a.t line 5.\n#          got: '1'\n#     expected: '2'\n", "t/a.t:5", ""},
		"bats":     {"1..1\nnot ok 1 a\n# (in test file t/a.bats, line 6)\n#   `false' failed\n", "t/a.bats:6", "`false' failed"},
	} {
		r := Parse(&tool.Input{Source: tool.Separate([]byte(c.text), nil)})
		if r == nil || len(r.Findings) != 1 {
			t.Errorf("%s: %v", name, summary(r))
			continue
		}
		f := r.Findings[0]
		if f.At == nil || f.At.String() != c.place || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: %q at %v", name, f.Message, f.At)
		}
	}
}

func TestIsLine(t *testing.T) {
	for line, want := range map[string]bool{"TAP version 13": true, "1..5": true, "1..0 # SKIP": true, "TAP version x": false, "1..": false, "ok 1": false, "11..2": false} {
		if IsLine(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// TestBlockOfNodeTap: node-tap tells values as a difference, the end of a process by
// its code, and a file that took too long by its name; comments of the whole run are no
// reason of the last test.
func TestBlockOfNodeTap(t *testing.T) {
	for name, c := range map[string]struct{ text, place, says, expected, actual string }{
		"difference":    {"not ok 1 - same\n  ---\n  diff: |\n    --- expected\n    +++ actual\n    @@ -1,3 +1,3 @@\n     Array [\n    -  4,\n    +  3,\n     ]\n  at:\n    fileName: a.js\n    lineNumber: 3\n  ...\n1..1\n", "a.js:3", "not ok", "4", "3"},
		"exit code":     {"# Subtest: t/exit.js\n    ok 1 - one\n    1..1\nnot ok 1 - t/exit.js # time=28.7ms\n  ---\n  exitCode: 5\n  signal: null\n  ...\n\n# No coverage generated\n1..1\n", "", "exit code 5", "", ""},
		"signal":        {"not ok 1 - t/kill.js\n  ---\n  exitCode: null\n  signal: SIGTERM\n  ...\n1..1\n", "", "signal SIGTERM", "", ""},
		"expired":       {"not ok 1 - timeout!\n  ---\n  expired: t/hang.js\n  ...\n\n# No coverage generated\n1..1\n", "t/hang.js", "not ok", "", ""},
		"nested plan":   {"    not ok 1 - left in queue\n    1..1\n    # time=190.827ms\nnot ok 1 - t/a.js\n1..1\n", "", "not ok", "", ""},
		"comment above": {"not ok 1 - logs\n#   cart is 3\n  ---\n  message: differs\n  ...\n1..1\n", "", "differs", "", ""},
	} {
		r := Parse(&tool.Input{Source: tool.Separate([]byte(c.text), nil)})
		if r == nil || len(r.Findings) != 1 {
			t.Errorf("%s: %v", name, summary(r))
			continue
		}
		f := r.Findings[0]
		at := ""
		if f.At != nil {
			at = f.At.String()
		}
		if at != c.place || f.Message != c.says || f.Expected != c.expected || f.Actual != c.actual {
			t.Errorf("%s: %q at %q, expected %q, got %q", name, f.Message, at, f.Expected, f.Actual)
		}
	}
}

// TestBailOutOnce: each level of nested tests repeats why the run was given up.
func TestBailOutOnce(t *testing.T) {
	r := Parse(&tool.Input{Source: tool.Separate([]byte("1..1\n# Subtest: a\n    ok 1 - b\n    Bail out! no disk\nBail out! no disk\nBail out! no disk\n"), nil)})
	if r == nil || len(r.Findings) != 1 || r.Complete {
		t.Errorf("%v", summary(r))
	}
}
