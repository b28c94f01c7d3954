package render

import (
	"fmt"
	"strings"
	"testing"

	"cairn/result"
)

const oid = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// sealed finishes a result as the pipeline does.
func sealed(r result.ToolResult, e result.Exit, tested bool) *result.ToolResult {
	if e.Observed {
		r.ExitCode = &e.Code
	}
	r.Signal, r.TimedOut, r.RawOID = e.Signal, e.TimedOut, oid
	r.Status, r.StatusSource = result.Derive(e, r.Kind, r.ExitMeaning, r.ParserConfidence, tested, r.Findings)
	result.Seal(&r, result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop", Home: "/home/dev"})
	r.Summary = result.Summarise(&r)
	return &r
}

func exit(code int) result.Exit { return result.Exit{Observed: true, Code: code} }

func lines(n int64) *result.Raw { return &result.Raw{Bytes: 40 * n, Lines: n} }

func at(path string, line, column int) *result.Location {
	return &result.Location{Path: path, Line: line, Column: column}
}

// shown is what a reader sees of a result of every status and kind.
var shown = map[string]struct {
	r    *result.ToolResult
	raw  string // "" is not at hand
	want string
}{
	"passed": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed,
			Counts: map[string]int{"passed": 120, "skipped": 2}, Raw: lines(9),
		}, exit(0), true),
		want: "pytest passed: 120 passed, 2 skipped sha256:9f86d081884c\n",
	},
	"failed test": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, ExitMeaning: result.MeansFindings,
			Counts: map[string]int{"failed": 2, "error": 1, "passed": 4}, Raw: lines(80),
			Findings: []result.Finding{
				{
					Kind: result.TestFailure, Severity: result.SevFailure, ID: "tests/test_auth.py::test_login[admin-1]", Rule: "AssertionError",
					Message: "AssertionError: wrong status", Expected: "200", Actual: "401", At: at("/home/dev/shop/tests/test_auth.py", 42, 0),
				},
				{
					Kind: result.TestFailure, Severity: result.SevError, ID: "tests/test_db.py::test_rows", Rule: "ConnectionError",
					Message: "no route", At: at("tests/conftest.py", 7, 0), Frames: []result.Location{*at("tests/conftest.py", 7, 0), *at("src/db.py", 11, 0)},
				},
				{
					Kind: result.TestFailure, Severity: result.SevFailure, ID: "tests/test_auth.py::test_logout", Rule: "KeyError",
					Message: "KeyError: 'user'", At: at("tests/test_auth.py", 60, 0),
				},
			},
		}, exit(1), true),
		want: `pytest failed: 2 failed, 1 error, 4 passed (exit 1)
tests/test_auth.py:42: tests/test_auth.py::test_login[admin-1]: AssertionError: wrong status (expected 200, got 401)
tests/test_auth.py:60: tests/test_auth.py::test_logout: KeyError: 'user'
tests/conftest.py:7: error tests/test_db.py::test_rows: ConnectionError: no route (see src/db.py:11)
[all 80 lines: cairn recall object sha256:9f86d081884c]
`,
	},
	"lint": {
		r: sealed(result.ToolResult{
			Tool: "ruff", Kind: result.Lint, ParserConfidence: result.Parsed, Raw: lines(30),
			Findings: []result.Finding{
				{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", Message: "`os` imported but unused", At: at("a.py", 1, 8)},
				{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: "E501", Message: "Line too long (124 > 88)", At: at("b.py", 9, 89)},
				{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", Message: "`os` imported but unused", At: at("a.py", 1, 8)},
			},
		}, exit(1), false),
		want: "ruff failed: 1 error, 1 warning (exit 1)\n" +
			"a.py:1: error F401: `os` imported but unused\n" +
			"b.py:9: warning E501: Line too long (124 > 88)\n" +
			"[… 1 duplicate left out]\n" +
			"[all 30 lines: cairn recall object sha256:9f86d081884c]\n",
	},
	"build": {
		r: sealed(result.ToolResult{
			Tool: "cc", Kind: result.Build, ParserConfidence: result.Parsed, Raw: lines(12),
			Findings: []result.Finding{{Kind: result.BuildError, Severity: result.SevError, Message: "unknown type name 'u8'", At: at("lib/x.c", 3, 1)}},
		}, exit(1), false),
		want: `cc failed: 1 error (exit 1)
lib/x.c:3: unknown type name 'u8'
[all 12 lines: cairn recall object sha256:9f86d081884c]
`,
	},
	"usage": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Untyped, ExitMeaning: result.MeansUsage, Raw: lines(2),
			Body: "ERROR: file or directory not found: tets/\n",
		}, exit(4), false),
		want: `pytest error: exit 4 (usage) sha256:9f86d081884c
ERROR: file or directory not found: tets/
`,
	},
	"generic": {
		r: sealed(result.ToolResult{
			Tool: "terraform", Kind: result.Generic, ParserConfidence: result.Untyped, Raw: lines(600),
			Body: "Planning\n[… 400 lines, 2-401]\nError: no such provider\n[… 197 lines, 403-599]\ndone\n",
		}, exit(1), false),
		want: `terraform failed: exit 1
Planning
[… 400 lines, 2-401]
Error: no such provider
[… 197 lines, 403-599]
done
[lines left out above: cairn recall object sha256:9f86d081884c --lines 2:401]
`,
	},
	"short raw": {
		r: sealed(result.ToolResult{
			Tool: "go-test", Kind: result.Test, ParserConfidence: result.Parsed, Raw: lines(3), Counts: map[string]int{"failed": 1},
			Findings: []result.Finding{{Kind: result.TestFailure, Severity: result.SevFailure, ID: "example.com/ledger/money.TestParse", Message: "no", At: at("m_test.go", 1, 0)}},
		}, exit(1), true),
		raw:  "--- FAIL: TestParse (0.00s)\n    \x1b[31mm_test.go:1: no\x1b[0m\nFAIL",
		want: "go-test failed: exit 1 sha256:9f86d081884c\n--- FAIL: TestParse (0.00s)\n    m_test.go:1: no\nFAIL\n",
	},
	"composite": {
		r: sealed(result.ToolResult{
			Tool: "make", Kind: result.Test, ParserConfidence: result.Heuristic, Raw: lines(90), Counts: map[string]int{"failed": 1, "passed": 15},
			Findings: []result.Finding{{Kind: result.TestFailure, Severity: result.SevFailure, Source: "pytest", ID: "t.py::test_a", Message: "boom", At: at("t.py", 4, 0)}},
			Parts: []result.Part{
				{Tool: "pytest", Name: "unit", Kind: result.Test, Status: result.Failed, Counts: map[string]int{"failed": 1, "passed": 3}, ParserConfidence: result.Parsed, Findings: 1},
				{Tool: "go-test", Kind: result.Test, Counts: map[string]int{"passed": 12}, ParserConfidence: result.Heuristic},
				{Tool: "ruff", Kind: result.Lint, Findings: 0, ParserConfidence: result.Parsed},
				{Tool: "jest", Kind: result.Test, Counts: map[string]int{"passed": 0}, ParserConfidence: result.Parsed},
			},
		}, exit(2), true),
		want: `make failed: 1 failed, 15 passed (exit 2) [not fully parsed]
part pytest unit failed: 1 failed, 3 passed
part go-test: 12 passed [not fully parsed]
part ruff: 0 findings
part jest: no tests ran
t.py:4: t.py::test_a: boom
[all 90 lines: cairn recall object sha256:9f86d081884c]
`,
	},
	"timeout": {
		r: sealed(result.ToolResult{
			Tool: "sh", Kind: result.Generic, ParserConfidence: result.Untyped, Body: "waiting\n", Raw: lines(1),
		}, result.Exit{Signal: "SIGTERM", TimedOut: true}, false),
		want: "sh error: timed out (SIGTERM) sha256:9f86d081884c\nwaiting\n",
	},
	"signal": {
		r:    sealed(result.ToolResult{Tool: "sh", Kind: result.Generic, ParserConfidence: result.Untyped, Raw: &result.Raw{}}, result.Exit{Signal: "SIGSEGV"}, false),
		want: "sh error: killed by SIGSEGV [no output]\n",
	},
	"crashed in a shell": {
		r: sealed(result.ToolResult{
			Tool: "sh", Kind: result.Generic, ParserConfidence: result.Untyped, ExitMeaning: result.MeansCrashed, Body: "Killed\n", Raw: lines(1),
		}, exit(137), false),
		want: "sh error: exit 137 (crashed) sha256:9f86d081884c\nKilled\n",
	},
	"not found": {
		r: sealed(result.ToolResult{
			Tool: "pytset", Kind: result.Generic, ParserConfidence: result.Untyped, ExitMeaning: result.MeansNotFound, Raw: &result.Raw{},
			Body: `cairn: exec: "pytset": executable file not found in $PATH`,
		}, exit(127), false),
		want: "pytset error: exit 127 (command not found) [no output]\n" + `cairn: exec: "pytset": executable file not found in $PATH` + "\n",
	},
	"doubt": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Heuristic, Raw: lines(5), Partial: true,
			Counts: map[string]int{"passed": 3}, Extra: map[string]any{"doubt": "the output ends before pytest's closing line", "open_pipes": true},
			Truncated: result.Truncated{Raw: true}, Body: "collected 9 items\n",
		}, result.Exit{}, false),
		want: `pytest unknown: exit not observed, 3 passed, partial [not fully parsed: the output ends before pytest's closing line] [output cut short] [a process it started still held the output open] sha256:9f86d081884c
collected 9 items
`,
	},
	"swallowed exit": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, Counts: map[string]int{"failed": 1}, Raw: lines(20),
			Findings: []result.Finding{{Kind: result.TestFailure, Severity: result.SevFailure, ID: "t.py::test_a", Message: "boom"}},
		}, exit(0), true),
		want: `pytest failed: 1 failed (exit 0, but findings say failed)
t.py::test_a: boom
[all 20 lines: cairn recall object sha256:9f86d081884c]
`,
	},
	"unicode": {
		r: sealed(result.ToolResult{
			Tool: "jest", Kind: result.Test, ParserConfidence: result.Parsed, Counts: map[string]int{"failed": 1}, Raw: lines(9),
			Findings: []result.Finding{{
				Kind: result.TestFailure, Severity: result.SevFailure, ID: "größe.test.ts › 日本 👩‍👩‍👧 \x1b[1mfett\x1b[0m", Message: "‹12,34\u00a0€› \u202eevil",
				Expected: "12,34\u00a0€", Actual: "12,34 €",
			}},
		}, exit(1), true),
		want: `jest failed: 1 failed (exit 1)
größe.test.ts › 日本 👩‍👩‍👧 fett: ‹12,34` + "\u00a0" + `€› evil (expected 12,34\u00a0€, got 12,34 €)
[all 9 lines: cairn recall object sha256:9f86d081884c]
`,
	},
	"huge message": {
		r: sealed(result.ToolResult{
			Tool: "tsc", Kind: result.Typecheck, ParserConfidence: result.Parsed, Raw: lines(70),
			Findings: []result.Finding{{Kind: result.Diagnostic, Severity: result.SevError, Rule: "TS2322", Message: strings.Repeat("type ", 100), At: at("a.ts", 1, 2)}},
		}, exit(2), false),
		want: "tsc failed: 1 error (exit 2)\na.ts:1: TS2322: " + strings.Repeat("type ", 80) + "[… 99 bytes]\n" +
			"[all 70 lines: cairn recall object sha256:9f86d081884c]\n",
	},
	"no tests": {
		r: sealed(result.ToolResult{
			Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, ExitMeaning: result.MeansNoTests, Counts: map[string]int{"passed": 0, "deselected": 4}, Raw: lines(2),
		}, exit(5), false),
		want: "pytest failed: 4 deselected, no tests ran, exit 5 sha256:9f86d081884c\n",
	},
}

// A reason that many tests have in common is written once, whatever stands between them.
func TestSharedReason(t *testing.T) {
	r := result.ToolResult{Tool: "mocha", Kind: result.Test, ParserConfidence: result.Parsed, ExitMeaning: result.MeansFindings, Raw: lines(900)}
	late := "Timeout of 2000ms exceeded. For async tests and hooks, ensure \"done()\" is called"
	for i, why := range []string{late, "boom", late, late} {
		r.Findings = append(r.Findings, result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, ID: fmt.Sprintf("cart › %d", i), Rule: "Error", Message: "Error: " + why, At: at("cart.js", 10*i+5, 0),
		})
	}
	want := "mocha failed: 4 failed (exit 1)\ncart.js\n  5: cart › 0: Error: " + late + "\n  25: cart › 2: (as above)\n  35: cart › 3: (as above)\n  15: cart › 1: Error: boom\n" +
		"[all 900 lines: cairn recall object sha256:9f86d081884c]\n"
	if got := Compact(sealed(r, exit(1), true), nil); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestShown(t *testing.T) {
	for name, test := range shown {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			var raw []byte
			if test.raw != "" {
				raw = []byte(test.raw)
			}
			if got := Compact(test.r, raw); got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

// Where there are too many findings, places that a line has room for cost little, and no
// rule is left out for a hundred of another.
func TestManyFindingsOfFewKinds(t *testing.T) {
	r := result.ToolResult{Tool: "cc", Kind: result.Build, ParserConfidence: result.Parsed, Raw: lines(4000)}
	warn := func(rule, message string, line int) {
		r.Findings = append(r.Findings, result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: rule, Message: message, At: at("a.c", line, 0)})
	}
	for i := range 400 {
		warn("shadow", "x shadows x", i+1)
	}
	for i := range 400 {
		warn("unused", fmt.Sprintf("unused variable 'v%d'", i), i+1)
	}
	warn("format", "too few arguments", 900)
	text := Compact(sealed(r, exit(1), false), nil)
	for _, want := range []string{", 400: shadow: x shadows x\n", "  900: format: too few arguments\n", "[… 302 more findings (302 warnings), without messages below: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// A build that prints a thousand warnings before its one error still shows it,
// in the place where its file first appears among those shown.
func TestManyFindings(t *testing.T) {
	r := result.ToolResult{Tool: "cc", Kind: result.Build, ParserConfidence: result.Parsed, Raw: lines(4000)}
	for i := range 1000 {
		r.Findings = append(r.Findings, result.Finding{
			Kind: result.Diagnostic, Severity: result.SevWarning, Rule: "unused", Message: fmt.Sprintf("unused variable 'v%d'", i), At: at("a.c", i+1, 1),
		})
	}
	r.Findings = append(r.Findings, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: "expected ';'", At: at("z.c", 5, 9)})
	got := strings.Split(Compact(sealed(r, exit(1), false), nil), "\n")
	want := map[int]string{
		0:   "cc failed: 1 error, 1000 warnings (exit 1)",
		1:   "a.c",
		2:   "  1: warning unused: unused variable 'v0'",
		100: "  99: warning unused: unused variable 'v98'",
		101: "z.c:5: error: expected ';'",
		102: "[… 901 more findings (901 warnings), 407 without messages below: cairn recall object sha256:9f86d081884c --result --format yaml]",
		103: "a.c",
		105: "[all 4000 lines: cairn recall object sha256:9f86d081884c]",
		106: "",
	}
	for i, line := range want {
		if len(got) != 107 || got[i] != line {
			t.Errorf("line %d of %d is %q, want %q", i, len(got), got[i], line)
		}
	}
}
