package golang

import (
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestGoTestRapid: how many inputs were tried is by chance.
func TestGoTestRapid(t *testing.T) {
	for _, tries := range []string{"0", "17"} {
		out := "--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: [rapid] failed after " + tries + " tests: total of 51 is 50\n        To reproduce, specify -run=\"TestTotal\" -rapid.seed=1\nFAIL\nFAIL\texample.com/shop/cart\t0.002s\nFAIL\n"
		casetest.SameLines(t, brief(wrapped("go test ./...", out, "")), []string{"failed parsed", "test_failure|TestTotal|cart/cart_test.go:9|[rapid] failed: total of 51 is 50"})
	}
}

// TestGoTestCheckVerbose: under -check.v the tests that passed stand between
// those that did not.
func TestGoTestCheckVerbose(t *testing.T) {
	out := "PASS: c_test.go:9: S.TestFirst\t0.000s\n\n----------------------------------------------------------------------\n" +
		"FAIL: c_test.go:6: S.TestEq\n\nc_test.go:7:\n    c.Assert(1, Equals, 2)\n... obtained int = 1\n... expected int = 2\n\n" +
		"PASS: c_test.go:9: S.TestOK\t0.000s\nOOPS: 2 passed, 1 FAILED\n--- FAIL: Test (0.00s)\nFAIL\nFAIL\texample.com/shop/cart\t0.002s\nFAIL\n"
	casetest.SameLines(t, brief(wrapped("go test ./... -check.v", out, "")), []string{"failed parsed", "test_failure|Test/S.TestEq|cart/c_test.go:7|obtained int = 1, expected int = 2"})
}

// TestGoTestList: naming tests runs none.
func TestGoTestList(t *testing.T) {
	in := tool.Input{Shell: "go test -list . ./cart", Source: tool.Separate([]byte("TestTotal\nok  \texample.com/shop/cart\t0.002s\n"), nil)}
	if r := casetest.ParseKnown(in, result.Exit{Observed: true}); r.Status != result.OK || r.ParserConfidence != result.Parsed {
		t.Errorf("got %s %s", r.Status, r.ParserConfidence)
	}
}
