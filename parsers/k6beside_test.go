package parsers

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestK6TakesItsOwnLines: what another program printed before k6 in one command is shown beside k6's findings.
func TestK6TakesItsOwnLines(t *testing.T) {
	out := "ERROR: cannot open seed.sql\n  █ TOTAL RESULTS\n\n    ✗ status is 200\n      ↳  50% — ✓ 1 / ✗ 1\n" + strings.Repeat("    http_req_duration: avg=1ms min=1ms med=1ms max=2ms\n", 40)
	in := Input{Shell: "./seed; k6 run load.js", Source: Separate([]byte(out), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
	r := Parse(in, result.Exit{Observed: true, Code: 99})
	if len(r.Findings) != 1 || r.Findings[0].Message != "50% — ✓ 1 / ✗ 1" {
		t.Errorf("findings %+v", r.Findings)
	}
	if !strings.Contains(r.Body, "cannot open seed.sql") {
		t.Errorf("the error before k6 is not shown: %q", r.Body)
	}
}
