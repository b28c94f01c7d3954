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
		{"php-cs-fixer fix --dry-run", "   1) src/Parcel.php (braces, indentation_type)\n\nFound 1 of 2 files that can be fixed in 0.1 seconds\n", 8,
			[]string{"src/Parcel.php  braces, indentation_type"}},
		{"trivy fs --format json .", `{"SchemaVersion":2,"Results":[{"Target":"package-lock.json","Vulnerabilities":[{"VulnerabilityID":"CVE-2021-1","PkgName":"lodash","InstalledVersion":"4.0.0","FixedVersion":"4.17.21","Severity":"HIGH","Title":"prototype pollution"}]}]}`, 1,
			[]string{"package-lock.json CVE-2021-1 lodash 4.0.0: prototype pollution"}},
		{"grype -o json dir:.", `{"matches":[{"vulnerability":{"id":"GHSA-1","severity":"High","fix":{"versions":["2.0"]}},"artifact":{"name":"left-pad","version":"1.0","locations":[{"path":"/package.json"}]}}]}`, 2,
			[]string{"/package.json GHSA-1 left-pad 1.0: GHSA-1"}},
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
