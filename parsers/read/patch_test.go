package read

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestPatch: each file of a difference is reported once, at its first changed line.
func TestPatch(t *testing.T) {
	p := Patch{Says: result.Finding{Rule: "format", Message: "not formatted"}, Other: func(s *Sink, l tool.Line) bool { return s.MisuseIf(l, "usage: ") }}
	tells(t, "two files", p.Parse(input("x", "--- a/src/a.py\t2026-11-23\n+++ b/src/a.py\t2026-11-23\n@@ -5,3 +5,3 @@\n one\n-two\n+2\n@@ -40,1 +40,1 @@\n-x\n+y\ndone\n--- b.py (original)\n+++ b.py (fixed)\n@@ -1 +1 @@\n-x\n+y\n", "")),
		"error src/a.py:6 format|not formatted| one⏎-two⏎+2⏎@@ -40,1 +40,1 @@⏎-x⏎+y", "error b.py:1 format|not formatted|-x⏎+y", "complete")
	tells(t, "a removed comment", p.Parse(input("x", "--- a/q.sql\n+++ b/q.sql\n@@ -3,4 +3,3 @@\n select 1\n--- two\n--- three\n+-- four\n from t\n--- a/r.sql\n+++ b/r.sql\n@@ -1 +0,0 @@\n--- x\n", "")),
		"error q.sql:4 format|not formatted| select 1⏎--- two⏎--- three⏎+-- four⏎ from t", "error r.sql:1 format|not formatted|--- x", "complete")
	tells(t, "a hunk cut short", p.Parse(input("x", "--- a.py\n+++ a.py\n@@ -1,9 +1,9 @@\n-x\n+y\n--- b.py\n+++ b.py\n@@ -1 +1 @@\n-x\n+y\n", "")),
		"error a.py:1 format|not formatted|-x⏎+y⏎--- b.py", "error b.py:1 format|not formatted|-x⏎+y", "complete")
	tells(t, "no head", p.Parse(input("x", "@@ -5,3 +5,3 @@\n-two\n", "")), "declined")
	tells(t, "another line", p.Parse(input("x", "", "usage: x\n")), "error - |usage: x|", "complete")
}

// TestDiffering: of what a program without a parser prints, a difference counts whose two
// names are of one file; that of a program for comparing files never does.
func TestDiffering(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-x\n+y\n"
	for _, c := range []struct{ name, command, out, want string }{
		{"two trees", "fmt --check", "--- before/src/a.py\n+++ after/src/a.py\n" + hunk, "error src/a.py:1 |differs|-x⏎+y"},
		{"one name", "fmt --check", "--- src/a.py\n\n+++ \n\n" + hunk, "error src/a.py:1 |differs|-x⏎+y"},
		{"a new file", "fmt --check", "--- /dev/null\n+++ b/a.py\n" + hunk, "error b/a.py:1 |differs|-x⏎+y"},
		{"what a test expects", "runtests", "--- expected\n+++ actual\n" + hunk, ""},
		{"two files", "runtests", "--- old/a.txt\n+++ new/b.txt\n" + hunk, ""},
		{"diff", "diff -u a b", "--- a/a.py\n+++ b/a.py\n" + hunk, ""},
		{"git", "git diff --exit-code", "--- a/a.py\n+++ b/a.py\n" + hunk, ""},
		{"shown", "cat x.patch", "--- a/a.py\n+++ b/a.py\n" + hunk, ""},
	} {
		rep := Unknown(input(c.command, c.out, ""))
		if c.want == "" {
			if rep != nil && len(rep.Findings) > 0 {
				t.Errorf("%s: %+v", c.name, rep.Findings)
			}
			continue
		}
		tells(t, c.name, rep, c.want, "complete")
	}
}
