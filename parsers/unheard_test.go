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
		// The line itself says how what it ran has ended.
		{"./check.sh; echo \"exit: $?\"", "all is well\nexit: 3\n", "check.sh failed"},
		{"./check.sh; echo \"exit: $?\"", "all is well\nexit: 0\n", "check.sh ok"},
		{"go test ./... > log 2>&1; echo EXIT=$?", "EXIT=1\n", "go failed"},
		// Only counts are left.
		{"jest 2>&1 | tail -5", "Test Suites: 2 failed, 2 total\nTests:       0 total\nSnapshots:   0 total\nTime:        0.724 s\nRan all test suites.\n", "jest failed"},
		{"bun test 2>&1 | tail -3", " 1 error\nRan 1 test across 1 file. [157.00ms]\n", "bun-test failed"},
		{"mix test | tail -3", "12 tests, 9 failures, 1 skipped\n\nRandomized with seed 0\n", "exunit failed"},
		{"mix test | tail -3", "12 tests, 0 failures, 1 skipped\n\nRandomized with seed 0\n", "exunit ok"},
		{"behave | tail -2", "14 steps passed, 2 failed, 1 error, 1 skipped\nTook 0min 0.044s\n", "behave failed"},
		{"behave | tail -2", "14 steps passed, 0 failed, 1 skipped\nTook 0min 0.044s\n", "behave ok"},
		{"tox 2>&1 | tail -1", "  evaluation failed :( (4.61 seconds)\n", "tox failed"},
		{"gradle test | tail -2", "BUILD FAILED in 9s\n3 actionable tasks: 3 executed\n", "gradle failed"},
		{"prove -r t | tail -2", "Files=3, Tests=9,  1 wallclock secs\nResult: FAIL\n", "prove failed"},
		{"npx vitest run 2>&1 | grep -E 'FAIL|Error' | head -20", " FAIL  a.test.js > cart > adds\nAssertionError: expected 6 to be 5\n", "vitest failed"},
		{"npx jest 2>&1 | grep -E '^Tests:'", "Tests:       2 failed, 3 passed, 5 total\n", "jest failed"},
		{"npx jest 2>&1 | grep -E '^Tests:'", "Tests:       5 passed, 5 total\n", "jest ok"},
		{"mix test 2>&1 | grep failures", "12 tests, 9 failures\n", "exunit failed"},
		{"mix test > log 2>&1; tail -3 log", "12 tests, 9 failures\n\nRandomized with seed 0\n", "exunit failed"},
		{"mix test > log 2>&1; tail -3 log", "12 tests, 0 failures\n\nRandomized with seed 0\n", "exunit ok"},
		{"mix test > log 2>&1; grep failures log", "12 tests, 9 failures\n", "exunit failed"},
		{"mix test > log 2>&1; tail -3 other", "12 tests, 9 failures\n", "sh ok"},
		{"npx jest &> /tmp/log; cat /tmp/log", "Tests:       2 failed, 3 passed, 5 total\n", "jest failed"},
		{"mix test 2>&1 | grep failures", "12 tests, 0 failures\n", "sh ok"},
		{"grep -rn 'FAIL: ' src | head", "src/a.js:3: FAIL: x\n", "sh ok"},
		// What a test that passed prints, or is called, is no failure.
		{"jest --verbose | tail -5", "  ✓ tells 2 errors (1 ms)\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\nSnapshots:   0 total\nTime:        0.7 s\n", "jest passed"},
		{"jest 2>&1 | tail -4", "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        2.7 s\n  console.error\n    FAIL fake line\n\n      at Object.error (test/ok.test.js:2:52)\n", "jest passed"},
		{"go test ./... | tail -1", "?   \texample.com/empty\t[no test files]\n", "go-test ok"},
		{"go test -run X ./... | tail -1", "ok  \texample.com/a\t0.002s [no tests to run]\n", "go-test ok"},
		{"node --test | tail -4", "  ...\n1..2\n# tests 2\n# pass 2\n# fail 0\n", "sh ok"},
		{"mvn -q package | tail -1", "[WARNING] The requested profile \"nope\" could not be activated because it does not exist.\n", "sh ok"},
		{"dbt run | head -3", "13:23:31  Running with dbt=1.11.16\n13:23:38  Unable to do partial parsing because saved manifest not found.\n", "dbt ok"},
		{"dbt run | sed -n 1,3p", "13:23:31  Running with dbt=1.11.16\n13:23:38  Unable to do partial parsing because saved manifest not found.\n", "dbt ok"},
		{"bats t | head -2", "1..2\nok 1 one\n", "bats ok"},
		// What somebody else wrote is no word of the tool that shows it.
		{"git log --oneline | head -1", "c66c19e fatal: error: failed to parse the config\n", "sh ok"},
		{"git log | tail -1", "    fatal: error: failed to parse the config\n", "sh ok"},
		{"curl -s http://localhost/log | tail", "ERROR: connection failed\n", "sh ok"},
		{"kubectl logs web | tail -20", "starting\nERROR: connection failed\n", "sh ok"},
		{"docker logs web 2>&1 | tail -20", "starting\nERROR: connection failed\n", "sh ok"},
		{"docker compose logs web | tail -20", "starting\nERROR: connection failed\n", "sh ok"},
	} {
		in := Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}
		r := Parse(in, result.Exit{Observed: true})
		if got := fmt.Sprint(r.Tool, " ", r.Status); got != c.want {
			t.Errorf("%s: %s, want %s (%s, %v)\n%s", c.line, got, c.want, r.ParserConfidence, r.Findings, r.Body)
		}
	}
}
