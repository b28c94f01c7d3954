package parsers

import (
	"testing"

	"cairn/result"
)

// TestFailsInView: a part of an output from which it is seen that a test failed is never
// told as a success, although the pipe exits 0; a part that says nothing of the kind is no
// failure.
func TestFailsInView(t *testing.T) {
	for _, c := range []struct {
		line, out string
		want      result.Status
	}{
		{"node --test | head -3", "✔ fine (1ms)\n✖ adds up (7.5ms)\n▶ suite\n", result.Failed},
		{"node --test | head -3", "✔ fine (1ms)\n✔ adds up (7.5ms)\n▶ suite\n", result.OK},
		{"node --test | head -3", "✖ adds up (7.5ms)\n<testsuites tests=\"1\" failures=\"0\"><testsuite name=\"x\" tests=\"1\"><testcase name=\"a\"/></testsuite></testsuites>\n", result.Failed},
		{"node --test | grep '^ℹ'", "ℹ tests 3\nℹ pass 1\nℹ fail 2\nℹ duration_ms 28.2\n", result.Failed},
		{"node --test | grep '^ℹ'", "ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ duration_ms 28.2\n", result.OK},
		{"node --test | tail -4", "✖ sub (0.4ms)\n  Error: own\n      at Test.run (node:internal/test:1)\n      at async Suite.run (node:internal/test:2)\n", result.Failed},
		{"npm run build 2>&1 | tail -3", "    at node:internal/main/run_main_module:28:49\n\nNode.js v20.20.2\n", result.Failed},
		{"node a.js 2>&1 | tail -6", "    at f (/app/a.js:3:9) {\n  code: 'E_BAD'\n}\n\nNode.js v20.20.2\n", result.Failed},
		{"node a.js 2>&1 | tail -4", "    at f (/app/a.js:3:9)\nrecovered\n\nNode.js v20.20.2\n", result.OK},
		{"npm run info | tail -2", "\nNode.js v20.20.2\n", result.OK},
		{"java -jar junit-platform-console-standalone.jar execute | tail -3", "[         1 tests successful      ]\n[         2 tests failed          ]\n\n", result.Failed},
		{"./test.sh | tail -3", "[         1 tests successful      ]\n[         2 tests failed          ]\n\n", result.Failed},
		{"./test.sh | tail -3", "[         1 tests successful      ]\n[         0 tests failed          ]\n\n", result.OK},
		{"rspec | head -5", "F.\n\nFailures:\n\n  1) Cart adds\n", result.Failed},
		{"rspec | tail -2", "rspec ./spec/cart_spec.rb:4 # Cart adds\nrspec ./spec/cart_spec.rb:9 # Cart removes\n", result.Failed},
		{"ctest | tail -2", "Output from these tests are in: /b/Testing/Temporary/LastTest.log\nErrors while running CTest\n", result.Failed},
		{"ctest | head -2", "    Start 1: ok\n1/2 Test #1: level ............***Failed    0.00 sec\n", result.Failed},
		{"ctest | head -2", "    Start 1: ok\n1/2 Test #1: level ............   Passed    0.00 sec\n", result.OK},
		{"mvn -q test | tail -2", "[ERROR] Re-run Maven using the -X switch to enable full debug logging.\n[ERROR] \n", result.Failed},
		{"mvn test | tail -1", "[INFO] Finished at: 2026-11-20T10:11:12Z\n", result.OK},
		{"npm test 2>&1 | tail -3", "\n FAIL  test/cart.test.ts > spy\nError: Expect test to fail\n", result.Failed},
		{"npm test 2>&1 | tail -3", "log: 3 retries, no test failed\nall good\n", result.OK},
		{"./build/tests | tail -2", "test cases: 5 | 2 passed | 3 failed\nassertions: 9 | 6 passed | 3 failed\n", result.Failed},
		{"./ci.sh | head -20", "not ok 3 - adds up # TODO later\nok 4 - fine\n", result.OK},
		{"bats t | grep not", "not ok 3 - adds up\n", result.Failed},
		{"git log --oneline | head -2", "a1b2c3d FAIL: test/x.js is broken\n0a1b2c3 fix\n", result.OK},
		{"cat results.tap | head -2", "not ok 1 - x\n", result.OK},
		{"grep -rn 'not ok' docs | head -2", "docs/a.md:3:not ok 3 - adds up\n", result.OK},
		{"npm run lint | tail -2", "\n✖ 2 problems (0 errors, 2 warnings)\n", result.OK},
		{"npx playwright test | tail -3", "    t/cart.spec.js:13:1 › flaky ─────────\n  2 skipped\n  2 passed (52.9s)\n", result.OK},
		{"npx playwright test | tail -4", "    t/cart.spec.js:13:1 › bad ──────\n  1 flaky\n    t/cart.spec.js:14:1 › flaky ─────\n  2 passed (52.9s)\n", result.Failed},
		{"npx vitest run | tail -4", " Test Files  1 passed (1)\n      Tests  2 passed (2)\n     Errors  1 error\n   Start at  13:05:12\n   Duration  2.34s (transform 82ms)\n", result.Failed},
		{"npx vitest run | tail -3", "      Tests  no tests\n   Start at  09:02:52\n   Duration  615ms (transform 23ms)\n", result.OK},
		{"./build/math_test | tail -1", "assertions: 14 | 4 passed | 10 failed\n", result.Failed},
		{"./build/math_test | tail -1", "assertions: 14 | 14 passed\n", result.OK},
		{"npm test | tail -3", "# No coverage generated\n# { total: 12, pass: 1, fail: 9, todo: 1, skip: 1 }\n# time=4729.689ms\n", result.Failed},
		{"npm test | tail -3", "# No coverage generated\n# { total: 12, pass: 12, fail: 0 }\n# time=4729.689ms\n", result.OK},
		{"npx tap t/a.js | tail -2", "# { total: 12, pass: 1, fail: 9 }\n# time=4729.689ms\n", result.Failed},
		{"npm test | tail -4", "\n  12 tests failed\n  1 test skipped\n  1 test todo\n", result.Failed},
		{"npx rspack build | tail -1", "Rspack compiled with 2 errors in 25 ms\n", result.Failed},
		{"npx rspack build | tail -1", "Rspack compiled with 2 warnings in 25 ms\n", result.OK},
		{"npm run e2e | tail -3", "  11 failed\n    t/shop.spec.js:5:3 › shop › title ─────\n  1 passed (58.7s)\n", result.Failed},
		{"npx playwright test -x | tail -2", "  11 did not run\n  1 error was not a part of any test, see above for details\n", result.Failed},
		{"gcc -Wall -Werror -c a.c 2>&1 | tail -1", "cc1: all warnings being treated as errors\n", result.Failed},
		{"npx esbuild a.js --bundle 2>&1 | tail -1", "4 warnings and 2 errors\n", result.Failed},
		{"npx esbuild a.js --bundle 2>&1 | tail -1", "4 warnings\n", result.OK},
		{"./run.sh 2>&1 | tail -1", "Segmentation fault\n", result.Failed},
		{"dash -c './app; echo over'", "Segmentation fault\nover\n", result.Failed},
		{"ksh -c './app; echo over'", "ksh: 4711: Memory fault(coredump)\nover\n", result.Failed},
		{"sh -c ./app; echo over", "Killed\nover\n", result.Failed},
		{"./app; echo over", "Killed 3 of 4 enemies\nover\n", result.OK},
		{"cat app.log; ls", "Segmentation fault\napp.log\n", result.OK},
	} {
		r := Parse(Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}, result.Exit{Observed: true})
		if r.Status != c.want {
			t.Errorf("%s\n%s%s, want %s: %s", c.line, c.out, r.Status, c.want, r.Summary)
		}
	}
}
