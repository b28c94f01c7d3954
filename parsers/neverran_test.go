package parsers

import (
	"fmt"
	"testing"

	"cairn/result"
)

// TestNeverRan: the text before the tool in its line stopped the shell, so
// the tool is not to blame: it never ran.
func TestNeverRan(t *testing.T) {
	for _, c := range []struct {
		line, stderr string
		code         int
		want         string
	}{
		{"cd nosuchdir && pytest -q", "sh: 1: cd: can't cd to nosuchdir\n", 2, "sh failed"},
		{"cd nosuchdir && pytest -q", "bash: line 1: cd: nosuchdir: No such file or directory\n", 1, "sh failed"},
		{"cd nosuchdir && pytest -q", "sh: line 0: cd: nosuchdir: No such file or directory\n", 1, "sh failed"},
		{"cd nosuchdir && eslint .", "zsh:cd:1: no such file or directory: nosuchdir\n", 1, "sh failed"},
		{"source nosuch && pytest", "sh: 1: source: not found\n", 127, "sh error"},
		{"source nosuch && pytest", "bash: line 1: nosuch: No such file or directory\n", 1, "sh failed"},
		{". nosuch/bin/activate && pytest", "sh: 1: .: cannot open nosuch/bin/activate: No such file\n", 2, "sh failed"},
		{"set -o pipefail; pytest | tail", "sh: 1: set: Illegal option -o pipefail\n", 2, "sh failed"},
		{"set -euo pipefail && cargo test", "/bin/sh: 1: set: Illegal option -o pipefail\n", 2, "sh failed"},
		{"cd setup.py && pytest -q", "bash: line 1: cd: setup.py: Not a directory\n", 1, "bash failed"},
		{"cd && pytest -q", "bash: line 1: cd: HOME not set\n", 1, "bash failed"},
		{"pytest -q", "sh: 1: cd: can't cd to nosuchdir\n", 2, "sh failed"}, // a script of that name, which got no further
	} {
		in := Input{Shell: c.line, Source: Separate(nil, []byte(c.stderr))}
		r := Parse(in, result.Exit{Observed: true, Code: c.code})
		if got := fmt.Sprint(r.Tool, " ", r.Status); got != c.want {
			t.Errorf("%s: %s: %s (%s), want %s\n%s", c.line, c.stderr, got, r.ExitMeaning, c.want, r.Body)
		} else if c.want != "" && r.Body == "" && len(r.Findings) == 0 {
			t.Errorf("%s: no text says why", c.line)
		}
	}
}

// TestFailedElsewhere: where the tool says that all passed, and the line goes on, what
// failed came after the tool, and it is not to blame.
func TestFailedElsewhere(t *testing.T) {
	const passed = ".    [100%]\n1 passed in 0.01s\n"
	for line, want := range map[string]string{
		"pytest -q && ls nosuch":    "sh failed: 1 passed, exit 2",
		"pytest -q; exit 2":         "sh failed: 1 passed, exit 2",
		"cd a && pytest -q":         "pytest error: exit 2 (interrupted), 1 passed",
		"pytest -q 2>&1 | tail -20": "pytest failed: 1 passed, exit 2",
	} {
		r := Parse(Input{Shell: line, Source: Separate([]byte(passed), nil)}, result.Exit{Observed: true, Code: 2})
		if got := fmt.Sprintf("%s %s: %s", r.Tool, r.Status, r.Summary); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
