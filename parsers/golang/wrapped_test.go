package golang

import (
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

const goFailing = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: got 1, want 2\nFAIL\nFAIL\texample.com/shop/cart\t0.002s\nFAIL\n"

// wrapped reads an output that something else than go was asked for.
func wrapped(shellText, stdout, stderr string) *result.ToolResult {
	w := result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop"}
	in := tool.Input{Shell: shellText, Workspace: w, Source: tool.Separate([]byte(stdout), []byte(stderr))}
	return casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1})
}

// TestGoTestShown: the directory of a package follows from the command that is
// shown, or from the name of the directory it all ran in.
func TestGoTestShown(t *testing.T) {
	for name, c := range map[string]struct{ shell, before, want string }{
		"script":     {"./ci.sh", "", "cart/cart_test.go:9"},
		"make":       {"make test", "go test ./cart\n", "cart/cart_test.go:9"},
		"make in it": {"make test", "go test -C cart\n", "cart/cart_test.go:9"},
		"just":       {"just test", "go test -count=1 ./...\n", "cart/cart_test.go:9"},
		"task":       {"task test", "task: [test] go test ./...\n", "cart/cart_test.go:9"},
		"set -x":     {"sh -x ci.sh", "+ go test ./cart\n", "cart/cart_test.go:9"},
		"workflow":   {"cat log", "##[group]Run go test ./cart\n", "cart/cart_test.go:9"},
		"several":    {"make", "go test ./a\ngo test ./cart\n", "cart/cart_test.go:9"},
		"elsewhere":  {"make", "go test ./lib/cart\n", "example.com/shop/cart/cart_test.go:9"},
	} {
		t.Run(name, func(t *testing.T) {
			r := wrapped(c.shell, c.before+goFailing, "")
			casetest.SameLines(t, brief(r), []string{"failed parsed", "test_failure|TestTotal|" + c.want + "|got 1, want 2"})
		})
	}
}

// TestGoTestTorn: behind tail, a stack has no beginning, and a failed package no
// test.
func TestGoTestTorn(t *testing.T) {
	const end = "FAIL\texample.com/shop/cart\t0.002s\nFAIL\n"
	const stack = "example.com/shop/cart.TestTotal(0xc0001)\n\t/home/dev/shop/cart/cart_test.go:9 +0x4d\ntesting.tRunner(0xc0001, 0x5)\n\t/usr/local/go/src/testing/testing.go:2036 +0xea\n"
	for name, c := range map[string]struct{ out, want string }{
		"stack":         {stack + end, "panic|TestTotal|cart/cart_test.go:9|" + tornMessage},
		"its place":     {"\t/usr/local/go/src/runtime/panic.go:860 +0x13a\n" + stack + end, "panic|TestTotal|cart/cart_test.go:9|" + tornMessage},
		"two":           {stack + "\ngoroutine 7 [chan receive]:\n" + stack + end, "panic|TestTotal|cart/cart_test.go:9|" + tornMessage},
		"verdict":       {"FAIL\n" + end, "test_failure|example.com/shop/cart||failed, and the output does not say which test"},
		"printed":       {stack + goFailing, "test_failure|TestTotal|cart/cart_test.go:9|got 1, want 2"},
		"not its first": {"some words\n" + stack + end, "test_failure|example.com/shop/cart||the test binary ended without a verdict, after: testing.tRunner(0xc0001, 0x5)"},
	} {
		t.Run(name, func(t *testing.T) {
			casetest.SameLines(t, brief(wrapped("go test ./... 2>&1 | tail -9", c.out, "")), []string{"failed parsed", c.want})
		})
	}
}

// TestGoTestTooMany: that the compiler stopped is no error of its own.
func TestGoTestTooMany(t *testing.T) {
	casetest.SameLines(t, brief(wrapped("go test ./...", "FAIL\texample.com/shop/cart [build failed]\nFAIL\n", "# example.com/shop/cart\ncart/a.go:4:2: declared and not used: a\ncart/a.go:4:2: too many errors\n")), []string{
		"failed parsed",
		"build_error||cart/a.go:4:2|declared and not used: a",
		"diagnostic||cart/a.go:4:2|too many errors",
	})
}
