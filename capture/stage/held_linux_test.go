package stage

import (
	"strings"
	"testing"
)

// TestShapesHeld is the same where the kernel does not say how a command ended, and cairn-stage stays to say
// it: all but what asks for the parent of a command.
func TestShapesHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs each line of the table once more")
	}
	told := tellsExits
	tellsExits = func() bool { return false }
	defer func() { tellsExits = told }()
	for _, sh := range shapes {
		if strings.Contains(sh.line, "PPID") || strings.Contains(sh.line, "bin/child") || strings.Contains(sh.line, "$!") {
			continue
		}
		want, got := run(t, "bash", sh.line, false), run(t, "bash", sh.line, true)
		if got.stdout != want.stdout || got.stderr != want.stderr || got.status != want.status {
			t.Errorf("%s: held:\n%v\nbash:\n%v", sh.line, got, want)
		}
	}
}
