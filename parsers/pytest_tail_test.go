package parsers

import (
	"testing"

	"cairn/result"
)

// What "pytest | tail" lets through is all that is known, and its exit code is
// tail's: the failures must be found all the same.
func TestPytestTail(t *testing.T) {
	const one = "FAILED tests/test_a.py::test_b - assert 1 == 2\n"
	for name, c := range map[string]struct {
		text  string
		found int
	}{
		"quiet":             {one + "1 failed, 3 passed in 0.04s\n", 1},
		"ruled":             {one + "========================= 1 failed, 3 passed in 0.04s =========================\n", 1},
		"counts alone":      {"1 failed, 3 passed in 0.04s\n", 1},
		"ruled counts":      {"========================= 2 failed, 3 passed in 0.04s =========================\n", 1},
		"passing":           {"3 passed in 0.04s\n", 0},
		"not right before":  {one + "another line\n3 passed in 0.04s\n", 0},
		"half of a summary": {one + "2 failed in 0.04s\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := Parse(Input{Shell: "pytest | tail", Source: Separate([]byte(c.text), nil)}, result.Exit{Observed: true})
			want := result.Failed
			if c.found == 0 {
				want = result.Passed
			}
			if r.Tool != "pytest" || r.Status != want || len(r.Findings) != c.found {
				t.Errorf("%s %s with %d findings, want %s with %d: %+v", r.Tool, r.Status, len(r.Findings), want, c.found, r.Findings)
			}
		})
	}
}
