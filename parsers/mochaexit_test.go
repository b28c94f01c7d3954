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

// TestMochaPrintedCounts: the counts that a test prints are not those of a reporter that has none.
func TestMochaPrintedCounts(t *testing.T) {
	out := "\n  3 passing (4ms)\n\n<testsuite name=\"Mocha Tests\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.002\">\n" +
		"<testcase classname=\"cart\" name=\"rounds\" file=\"/cart/c.js\" time=\"0.001\"><failure>2 == 3\nAssertionError: 2 == 3\n    at Context.anonymous (c.js:4:31)</failure></testcase>\n</testsuite>\n"
	for _, logged := range []string{"", "TypeError: no price\n    at price (src/price.js:3:4)\n"} { // a test may log an error
		r := Parse(Input{Argv: []string{"mocha", "-R", "xunit", "c.js"}, Source: Separate([]byte(out), []byte(logged))}, result.Exit{Observed: true, Code: 1})
		if r.Status != result.Failed || r.Counts["passed"] != 0 || r.Counts["failed"] != 1 || len(r.Findings) == 0 || r.Findings[0].ID != "cart rounds" || r.Findings[0].At == nil {
			t.Errorf("%s: %v", r.Summary, r.Findings)
		}
	}
}

// TestMochaTypes: ts-node's errors in a file that mocha cannot load have their places, and are no wrong call.
func TestMochaTypes(t *testing.T) {
	said := "\n Exception during run: typo.spec.ts(2,28): error TS2554: Expected 0 arguments, but got 1.\n" +
		"typo.spec.ts(3,41): error TS2339: Property 'pot' does not exist on type 'Stock'.\n\n"
	r := Parse(Input{Argv: []string{"mocha", "-r", "ts-node/register", "typo.spec.ts"}, Source: Separate(nil, []byte(said))}, result.Exit{Observed: true, Code: 1})
	if r.ExitMeaning != result.MeansCrashed || len(r.Findings) != 2 || r.Findings[0].Rule != "TS2554" || r.Findings[1].Rule != "TS2339" || r.Findings[1].At == nil || r.Findings[1].At.Line != 3 {
		t.Errorf("%s, %s: %v", r.Summary, r.ExitMeaning, r.Findings)
	}
}
