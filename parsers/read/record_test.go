package read

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRecords: what scanners really print, as if no parser knew them.
func TestRecords(t *testing.T) {
	for file, want := range map[string][]string{
		"bandit/default": {"telemetry/store.py:4", "telemetry/store.py:5", "telemetry/store.py:14", "telemetry/store.py:15", "telemetry/store.py:17", "telemetry/store.py:31",
			"telemetry/store.py:32", "telemetry/store.py:50", "telemetry/wire.py:18", "telemetry/wire.py:21", "telemetry/wire.py:25", "telemetry/wire.py:31"},
		"gitleaks/dir-verbose": {"deploy/key.pem:1", "src/conf.py:1", "src/conf.py:2"},
	} {
		text, err := os.ReadFile("../../golden/" + file + "/stdout")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range Unknown(input("frob x", strings.ReplaceAll(string(text), "\r", ""), "")).Findings {
			if f.At != nil {
				got = append(got, fmt.Sprintf("%s:%d", f.At.Path, f.At.Line))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
