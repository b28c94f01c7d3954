package parsers

import (
	"fmt"
	"testing"

	"cairn/result"
)

// TestUnheard: the exit code 0 of a line whose tool failed, by what of its
// output is left. One rule for all tools; where exit 0 is the tool's own word,
// or a runner's that ignores an error, the run stays ok.
func TestUnheard(t *testing.T) {
	const (
		tsc    = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
		closed = "\n✖ 2 problems (2 errors, 0 warnings)\n\n"
		ruff   = "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n"
	)
	for _, c := range []struct{ line, out, want string }{
		{"eslint src | tail -3", closed, "eslint failed"},
		{"npx eslint src 2>&1 | tail -3", closed, "eslint failed"},
		{"go test ./... | tail -1", "FAIL\n", "go-test failed"},
		{"go test ./... 2>&1 | tail -2", "FAIL\texample.com/a\t0.002s\nFAIL\n", "go-test failed"},
		{"go test ./... | tail -1", "ok  \texample.com/a\t0.002s\n", "go-test passed"},
		{"tsc | tail -1", tsc, "tsc failed"},
		{"tsc || true", tsc, "tsc failed"},
		{"tsc; echo done", tsc + "done\n", "tsc failed"},
		{"ruff check . | tail", ruff, "ruff failed"},
		{"ruff check --exit-zero .", ruff, "ruff ok"},
		{"ruff check --exit-zero . && echo ok", ruff + "ok\n", "ruff ok"},
		{"make lint", "ruff check .\n" + ruff + "make: [Makefile:2: lint] Error 1 (ignored)\n", "make ok"},
		{"npm run lint | tail -5", ruff, "ruff failed"},
	} {
		in := Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}
		r := Parse(in, result.Exit{Observed: true})
		if got := fmt.Sprint(r.Tool, " ", r.Status); got != c.want {
			t.Errorf("%s: %s, want %s (%s, %v)\n%s", c.line, got, c.want, r.ParserConfidence, r.Findings, r.Body)
		}
	}
}
