package parsers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// TestUnseenTools: tools that could not be run here are read as their manuals show
// what they print. Each failure is found, and the result never says that it was
// understood in full.
func TestUnseenTools(t *testing.T) {
	for _, c := range []struct {
		line, stdout string
		code         int
		want         []string
	}{
		{"dotnet build", "  Determining projects to restore...\n" +
			"/src/App/Program.cs(5,13): error CS0029: Cannot implicitly convert type 'string' to 'int' [/src/App/App.csproj]\n" +
			"/src/App/Program.cs(9,5): warning CS0168: The variable 'x' is declared but never used [/src/App/App.csproj]\n\nBuild FAILED.\n\n" +
			"/src/App/Program.cs(5,13): error CS0029: Cannot implicitly convert type 'string' to 'int' [/src/App/App.csproj]\n" +
			"    1 Warning(s)\n    1 Error(s)\n\nTime Elapsed 00:00:01.61\n", 1,
			[]string{"App/Program.cs:5:13 CS0029 Cannot implicitly convert type 'string' to 'int'", "App/Program.cs:9:5 CS0168 The variable 'x' is declared but never used"}},
		{"dotnet build", "MSBUILD : error MSB1003: Specify a project or solution file.\n", 1, []string{" MSB1003 Specify a project or solution file."}},
		{"dotnet test", "  Failed Ledger.CartTests.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 3\nActual:   4\n  Stack Trace:\n" +
			"     at Ledger.CartTests.Adds() in /src/Tests/CartTests.cs:line 12\n   at System.RuntimeMethodHandle.InvokeMethod(Object target)\n\n" +
			"Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - Tests.dll (net8.0)\n", 1,
			[]string{"Tests/CartTests.cs:12 Ledger.CartTests.Adds Assert.Equal() Failure: Values differ"}},
		{"swift build", "/src/Sources/a.swift:3:9: error: cannot convert value of type 'String' to specified type 'Int'\n 3 | let x: Int = \"a\"\n   |              `- error: cannot convert\n", 1,
			[]string{"Sources/a.swift:3:9  cannot convert value of type 'String' to specified type 'Int'"}},
		{"swift test", "Test Case 'CartTests.testAdds' started at 2026-11-22 10:00:00.000\n/src/Tests/CartTests.swift:8: error: CartTests.testAdds : XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - \n" +
			"Test Case 'CartTests.testAdds' failed (0.001 seconds)\nExecuted 2 tests, with 1 failure (0 unexpected) in 0.002 (0.002) seconds\n", 1,
			[]string{"Tests/CartTests.swift:8 CartTests.testAdds XCTAssertEqual failed: (\"3\") is not equal to (\"4\") -"}},
		{"swift test", "✘ Test adds() recorded an issue at CartTests.swift:8:5: Expectation failed: (a → 1) == (b → 2)\n✘ Test adds() failed after 0.001 seconds with 1 issue.\n✘ Test run with 2 tests failed after 0.002 seconds with 1 issue.\n", 1,
			[]string{"CartTests.swift:8:5 adds() (a → 1) == (b → 2)"}},
		{"phpstan analyse src", " ------ ---------------------------------\n  Line   src/Parcel.php\n ------ ---------------------------------\n  12     Undefined variable: $undefined\n         🪪  variable.undefined\n ------ ---------------------------------\n\n [ERROR] Found 1 error\n", 1,
			[]string{"src/Parcel.php:12 variable.undefined Undefined variable: $undefined"}},
		{"phpstan analyse --error-format=json src", `{"totals":{"errors":0,"file_errors":1},"files":{"/src/b.php":{"errors":1,"messages":[{"message":"No.","line":3,"ignorable":true,"identifier":"a.b"}]}},"errors":[]}`, 1,
			[]string{"b.php:3 a.b No."}},
		{"psalm", "ERROR: UndefinedVariable - src/a.php:3:7 - Cannot find referenced variable $x (see https://psalm.dev/024)\n", 2,
			[]string{"src/a.php:3:7 UndefinedVariable Cannot find referenced variable $x"}},
		{"grype -o json dir:.", `{"matches":[{"vulnerability":{"id":"GHSA-1","severity":"High","fix":{"versions":["2.0"]}},"artifact":{"name":"left-pad","version":"1.0","locations":[{"path":"/package.json"}]}}]}`, 2,
			[]string{"/package.json GHSA-1 left-pad 1.0: GHSA-1"}},
		{"npx cypress run", "  (Run Starting)\n\n  │ Specs:          2 found (login.cy.js, cart.cy.js) │\n\n  Running:  login.cy.js                   (1 of 2)\n\n\n  login page\n    ✓ loads (345ms)\n    1) logs in\n\n\n" +
			"  1 passing (5s)\n  1 failing\n\n  1) login page\n       logs in:\n     AssertionError: Timed out retrying after 4000ms: Expected to find element: `#submit`, but never found it.\n      at Context.eval (webpack:///./cypress/e2e/login.cy.js:12:8)\n\n\n" +
			"  (Results)\n\n  │ Tests:        2     │\n  │ Skipped:      0     │\n\n  Running:  cart.cy.js                    (2 of 2)\n\n\n  cart\n    1) adds\n\n\n  0 passing (1s)\n  1 failing\n\n  1) cart\n       adds:\n     TypeError: x is undefined\n\n\n" +
			"  (Results)\n\n  │ Tests:        1     │\n\n  (Run Finished)\n\n  │ ✖  login.cy.js    00:05        2        1        1        -        - │\n    ✖  2 of 2 failed (100%)   00:07        3        1        2        -        -\n", 2,
			[]string{"cypress/e2e/login.cy.js:12:8 AssertionErrorlogin page logs in Timed out retrying after 4000ms: Expected to find element: `#submit`, but never found it.", " TypeErrorcart adds x is undefined"}},
		{"vendor/bin/pest", "\n   FAIL  Tests\\Unit\\CartTest\n  ⨯ it adds                                                     0.01s  \n  ────────────────  \n   FAILED  Tests\\Unit\\CartTest > it adds                                   \n" +
			"  Failed asserting that 3 is identical to 4.\n\n  at tests/Unit/CartTest.php:4\n      1▕ <?php\n  ➜   4▕     expect(3)->toBe(4);\n\n  ────────────────  \n   FAILED  Tests\\Unit\\CartTest > it throws                RuntimeException  \n  disk on fire\n\n" +
			"  at vendor/acme/x/src/Disk.php:9\n  ➜   9▕     throw new\n\n      +2 vendor frames \n  3   tests/Unit/CartTest.php:8\n\n\n  Tests:    2 failed, 1 passed (3 assertions)\n  Duration: 0.10s\n", 1,
			[]string{"tests/Unit/CartTest.php:4 Tests\\Unit\\CartTest::it adds Failed asserting that 3 is identical to 4.", "tests/Unit/CartTest.php:8 RuntimeExceptionTests\\Unit\\CartTest::it throws disk on fire"}},
		{"dart test", "00:00 +0: loading test/calc_test.dart\n00:00 +0 -1: test/calc_test.dart: adds [E]\n  Expected: <3>\n    Actual: <2>\n  \n  package:matcher                  expect\n  test/calc_test.dart 6:5          main.<fn>\n  \n" +
			"00:00 +0 -1: test/calc_test.dart: works\n00:00 +1 -1: Some tests failed.\n", 1,
			[]string{"test/calc_test.dart:6:5 test/calc_test.dart: adds Expected: <3>"}},
		{"dart analyze", "Analyzing app...\n\n  error - bin/app.dart:3:7 - Undefined name 'x'. Try it - or not. - undefined_identifier\nwarning - lib/a.dart:1:8 - Unused import: 'dart:io'. - unused_import\n\n2 issues found.\n", 3,
			[]string{"bin/app.dart:3:7 undefined_identifier Undefined name 'x'. Try it - or not.", "lib/a.dart:1:8 unused_import Unused import: 'dart:io'."}},
		{"flutter analyze", "Analyzing app...\n\n  error • Undefined name 'x' • lib/main.dart:5:7 • undefined_identifier\n\n1 issue found. (ran in 1.5s)\n", 1,
			[]string{"lib/main.dart:5:7 undefined_identifier Undefined name 'x'"}},
		{"bazel test //...", "INFO: Found 1 test target...\nFAIL: //test/unit:value (see /home/x/.cache/bazel/testlogs/test/unit/value/test.log)\nINFO: Build completed, 1 test FAILED, 2 total actions\n" +
			"//test/unit:other                                                        PASSED in 0.1s\n//test/unit:value                                                        FAILED in 0.1s\n  /home/x/.cache/test.log\n\nExecuted 2 out of 2 tests: 1 test passes and 1 fails locally.\n", 3,
			[]string{" //test/unit:value failed"}},
		{"bazel build //...", "ERROR: /src/app/BUILD:3:10: Compiling app/main.cc failed: (Exit 1): gcc failed: error executing command\napp/main.cc: In function 'int main()':\napp/main.cc:4:10: error: 'x' was not declared in this scope\n" +
			"Target //app:main failed to build\nERROR: Build did NOT complete successfully\n", 1,
			[]string{"app/BUILD:3:10  Compiling app/main.cc failed: (Exit 1): gcc failed: error executing command", "app/main.cc:4:10  'x' was not declared in this scope"}},
	} {
		in := Input{Shell: c.line, Source: Separate([]byte(c.stdout), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
		r := Parse(in, result.Exit{Observed: true, Code: c.code})
		var got []string
		for _, f := range r.Findings {
			got = append(got, strings.TrimSuffix(f.Location+" "+f.Rule+f.ID+" "+f.Message, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.line, got, c.want)
		}
		if r.ParserConfidence == result.Parsed || r.Status != result.Failed {
			t.Errorf("%s: %s", c.line, fmt.Sprint(r.ParserConfidence, " ", r.Status))
		}
	}
}
