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
	tells(t, "no head", p.Parse(input("x", "@@ -5,3 +5,3 @@\n-two\n", "")), "declined")
	tells(t, "another line", p.Parse(input("x", "", "usage: x\n")), "error - |usage: x|", "complete")
}
