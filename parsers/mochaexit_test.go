package parsers

import (
	"testing"

	"cairn/result"
)

// TestMochaExits: a test that prints counts and ends mocha is no pass where rows of tests that
// failed, and other counts, stand above. A test that prints such a row alone changes nothing.
func TestMochaExits(t *testing.T) {
	for out, want := range map[string]result.Status{
		"\n\n  S\n\r    1) bad cr\n\n\n  3 passing (1ms)\n\n    2) bad summary\n\n\n  2 passing (1ms)\n\n": result.OK,
		"\n\n  S\n    ✔ adds\n  1) fake\n    ✔ logs\n\n\n  2 passing (50ms)\n\n":                           result.Passed,
	} {
		r := Parse(Input{Argv: []string{"mocha"}, Source: Separate([]byte(out), nil)}, result.Exit{Observed: true})
		if r.Status != want {
			t.Errorf("%q: %s, want %s: %s", out, r.Status, want, r.Summary)
		}
	}
}
