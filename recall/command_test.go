package recall

import (
	"os/exec"
	"strings"
	"testing"

	"cairn/manifest"

	"pgregory.net/rapid"
)

// TestCommandLine: a shell reads the words back.
func TestCommandLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		argv := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z0-9 '"$\\*?~=#;&|<>(){}!.\-\n\t]{0,8}`), 1, 4).Draw(t, "argv")
		line := CommandLine(&manifest.Record{Argv: argv})
		out, err := exec.Command("sh", "-c", `printf '%s\0' `+line).Output()
		if want := strings.Join(argv, "\x00") + "\x00"; err != nil || string(out) != want {
			t.Fatalf("%s: the shell read %q, want %q (%v)", line, out, want, err)
		}
	})
}
