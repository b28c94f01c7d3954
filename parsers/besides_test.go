package parsers

import (
	"strings"
	"testing"
)

// TestBesidesATool: what other commands of a line print before and behind a tool's report was asked for, and stays in the answer, whether
// the tool passed or failed.
func TestBesidesATool(t *testing.T) {
	const passed = "ok  \texample.com/a\t0.010s\nok  \texample.com/b\t0.010s\n"
	const failed = "--- FAIL: TestA (0.00s)\n    a_test.go:7: bad\nFAIL\nFAIL\texample.com/a\t0.010s\nFAIL\n"
	const status = "On branch main\n\tmodified:   a.go\n"
	for _, c := range []struct {
		line, output, has string
		exit              int
	}{
		{"go test ./... && git status", passed + status, "On branch main\n\tmodified:   a.go", 0},
		{"go test ./...; git status", failed + status, "On branch main\n\tmodified:   a.go", 0},
		{"git log -1; go test ./...", "commit 12\n    a\n" + passed, "commit 12\n    a", 0},
		{"go test ./... && ./app", passed + "three apples\n", "three apples", 0},
		{"go test ./...; tail -1 a.log | cut -c1-9", failed + "three apples\n", "three apples", 0},
		{"./app && go test ./... && ./app", "one\n" + passed + "two\n", "one\ntwo", 0},
		{"git merge x; git diff; git merge --abort", "CONFLICT (content): Merge conflict in a.go\ndiff --cc a.go\n++<<<<<<< HEAD\n", "++<<<<<<< HEAD", 0},
		{"./ci.sh; git status", passed + status, "modified:   a.go", 0},
		{"cat a.go; go test ./...", "package a\n" + passed, "package a", 0},
		{"go test ./...; grep -n TODO a.go", passed + "3:// TODO\n", "3:// TODO", 0},
		{"go vet ./... && go test ./...", passed, "", 0},
		{"mkdir -p out; go test ./... ; echo done", "a\n" + passed + "done\n", "done", 0},
		{"go test ./... | grep -v x", passed + "x\n", "", 0},
		{"sed -i s/a/b/ a.go; go test ./...", "a\n" + passed, "", 0},
		{"go test ./...; exit $?", passed + "x\n", "", 0},
	} {
		r := ofShell(c.line, c.output, c.exit)
		if r.Tool == "" || c.has == "" && r.Body != "" || !strings.Contains(r.Body, c.has) {
			t.Errorf("%s: %s %s with body %q, want %q", c.line, r.Tool, r.Status, r.Body, c.has)
		}
	}
}
