package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainTrouble is IsTrouble as one reads it, without regard to what it takes.
func plainTrouble(line string) bool {
	s := strings.TrimSpace(line)
	ends := func(ends ...string) bool {
		for _, e := range ends {
			if strings.HasSuffix(s, e) {
				return true
			}
		}
		return false
	}
	begins := func(begins ...string) bool {
		for _, b := range begins {
			if strings.HasPrefix(s, b) {
				return true
			}
		}
		return false
	}
	switch {
	case begins("make", "gmake"):
		return strings.Contains(s, "] Error ") || strings.Contains(s, ": *** ") || ends("No such file or directory")
	case ends(": not found", ": command not found", ": Permission denied"):
		return IsShellName(s)
	case ends(": No such file or directory"):
		return begins("env: ", "timeout: ", "xargs: ") || IsShellName(s)
	case begins("nox > "):
		return begins("nox > * ") && ends(": failed")
	case ends("Failed"):
		return ends("....Failed")
	}
	if i := strings.LastIndex(s, " code "); i >= 0 && !isNone(s[i+len(" code "):]) && (strings.HasSuffix(s[:i], " exited with") || strings.HasSuffix(s[:i], ": FAIL")) {
		return true
	}
	return begins("npm error Lifecycle script ", "npm ERR! code ELIFECYCLE", "error Command failed with exit code ", "error: Recipe `", "error: recipe `") ||
		strings.Contains(s, "ELIFECYCLE") && strings.Contains(s, "failed with exit code ") ||
		begins("ERROR: \"") && strings.Contains(s, "\" exited with ")
}

// TestTrouble: whether a line reports trouble does not depend on what is known of it.
func TestTrouble(t *testing.T) {
	pieces := []string{
		"make", "gmake: ", "make[1]: *** [x", "] Error ", ": *** ", "No such file or directory", ": No such file or directory", "sh: 1: ", "bash: ", "env: ", "timeout: ", "x",
		": not found", ": command not found", ": Permission denied", "nox > ", "nox > * ", ": failed", "....", "Failed", " exited with", " code ", " code", "1", "0", ": FAIL",
		"npm error Lifecycle script ", "npm ERR! code ELIFECYCLE", "error Command failed with exit code ", " ELIFECYCLE ", " failed with exit code 1", "error: Recipe `", "ERROR: \"", "\" exited with ", " ", "\t",
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 5).Draw(t, "pieces"), "")
		want := plainTrouble(line)
		if got := IsTrouble(line, true); got != want {
			t.Fatalf("%q: %v, want %v", line, got, want)
		}
		if got := IsTrouble(line, strings.Contains(line, Coded)); got != want {
			t.Fatalf("%q, known to have %q or not: %v, want %v", line, Coded, got, want)
		}
	})
}
