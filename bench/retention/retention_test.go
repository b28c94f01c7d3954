package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/golden"
	"cairn/result"
)

func TestWhole(t *testing.T) {
	for _, tc := range []struct {
		name, words, text string
		want              bool
	}{
		{"alone", "TestSub", "TestSub", true},
		{"before a colon", "TestSub", "x.go:3: TestSub: no", true},
		{"behind a package", "TestSub", "pkg.TestSub failed", true},
		{"a parent is not its child", "TestSub", "TestSub/one failed", false},
		{"the second time it is", "TestSub", "TestSub/one TestSub", true},
		{"a line is not a longer one", "x.go:3", "x.go:30: no", false},
		{"with a column", "x.go:3", "x.go:3:7: no", true},
		{"below a directory", "x.go:3", "pkg/x.go:3: no", true},
		{"another file", "x.go:3", "ax.go:3: no", false},
		{"a case of a parametrized test", "test_a", "test_a[1] failed", false},
		{"not there", "x", "y", false},
		{"after invalid UTF-8", "x", "\xffx", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := whole(tc.words, tc.text); got != tc.want {
				t.Errorf("whole(%q, %q) = %t", tc.words, tc.text, got)
			}
		})
	}
}

func TestKept(t *testing.T) {
	for _, tc := range []struct {
		name string
		f    fact
		text string
		want bool
	}{
		{"place in brackets", fact{Kind: "at", Text: "a.ts:12"}, "a.ts(12,5): error", true},
		{"another line in brackets", fact{Kind: "at", Text: "a.ts:1"}, "a.ts(12,5): error", false},
		{"place in square brackets", fact{Kind: "at", Text: "a.ts:12"}, "ERROR: a.ts[12, 5]: no", true},
		{"a decisive line is word for word", fact{Kind: "says", Text: "exit 1/2"}, "> exit 1/2a", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := kept(tc.f, tc.text); got != tc.want {
				t.Errorf("kept(%v, %q) = %t", tc.f, tc.text, got)
			}
		})
	}
}

// TestAsked: the line that decides is asked for where no reader of the tool's own
// made findings of it.
func TestAsked(t *testing.T) {
	facts := []fact{{Kind: "says", Text: "no"}, {Kind: "at", Text: "a.c:3"}}
	for confidence, want := range map[result.Confidence]int{result.Parsed: 1, result.Heuristic: 2, result.Untyped: 2} {
		if got := asked(facts, confidence); len(got) != want || got[len(got)-1] != facts[1] || len(facts) != 2 {
			t.Errorf("%s: %v", confidence, got)
		}
	}
}

func TestExtract(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"gcc", "src/a.c:3:7: error: no", "at src/a.c:3"},
		{"rustc", "error[E0308]: mismatched types\n  --> src/lib.rs:12:5", "rule E0308, at src/lib.rs:12"},
		{"tsc", "src/a.ts(12,5): error TS2322: no", "at src/a.ts:12, rule TS2322"},
		{"flake8", "./a.py:1:80: E501 line too long", "at a.py:1, rule E501"},
		{"below the directory", "/w/pkg/a.py:7: boom", "at pkg/a.py:7"},
		{"a library's frame", "/usr/lib/python3/x.py:7: boom", ""},
		{"below the home directory", "/home/dev/b/a.py:7: boom", "at ~/b/a.py:7"},
		{"coloured", "\x1b[1msrc/a.c:3:7:\x1b[m no", "at src/a.c:3"},
		{"go test", "    --- FAIL: TestSub/one (0.00s)", "test TestSub/one"},
		{"pytest", "FAILED t/test_a.py::test_b[1 - 2] - assert 1", "test t/test_a.py::test_b[1 - 2]"},
		{"cargo test", "test tests::adds ... FAILED", "test tests::adds"},
		{"tap", "not ok 3 - adds two", "test adds two"},
		{"tap, expected", "not ok 3 - adds two # TODO later", ""},
		{"a time is no place", "at 12:30:01 it was v1.2:3", ""},
		{"an address is no place", "listening on 127.0.0.1:8080", ""},
		{"a frame of a library is no place", "\tat org.junit.Assert.fail(Assert.java:89)", ""},
		{"a frame of a test is one", "\tat com.acme.AccTest.adds(AccTest.java:7)", "at AccTest.java:7"},
		{"a method is no file", "[ERROR]   AccTest.adds:7 sum expected", ""},
		{"a code in prose is no rule", "the HTTP404 page", ""},
		{"twice is once", "a.c:3: x\na.c:3: y", "at a.c:3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, f := range extract([]byte(tc.raw), "/w") {
				got = append(got, f.Kind+" "+f.Text)
			}
			if slices.Sort(got); strings.Join(got, ", ") != sorted(tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func sorted(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func TestSaysPassed(t *testing.T) {
	for header, want := range map[string]bool{
		"pytest failed: 1 failed": false, "pytest passed: 3 passed": true, "make ok: exit 0": true,
		"make error (exit 2)": false, "x unknown": false, "": true, "alone": true,
	} {
		if got := saysPassed(header); got != want {
			t.Errorf("saysPassed(%q) = %t", header, got)
		}
	}
}

// TestTally: a lie and an empty parse are counted, and told from what is well.
// TestOwns: only an exit code of 0 may be called ok beside errors, and only in
// words.
func TestOwns(t *testing.T) {
	zero, one := 0, 1
	for _, test := range []struct {
		status result.Status
		exit   *int
		found  result.Severity
		header string
		want   bool
	}{
		{result.OK, &zero, result.SevError, "eslint ok: 6 errors (exit 0 despite errors: it is that of cat)", true},
		{result.OK, &zero, result.SevError, "eslint ok: 6 errors", false},
		{result.OK, &zero, result.SevError, "eslint ok: 6 warnings", false},
		{result.OK, &zero, result.SevWarning, "eslint ok: 6 warnings", true},
		{result.OK, &zero, result.SevWarning, "eslint ok", false},
		{result.OK, &one, result.SevError, "eslint ok: 6 errors (exit 0 despite errors)", false},
		{result.OK, nil, result.SevError, "eslint ok: 6 errors (exit 0 despite errors)", false},
		{result.Passed, &zero, result.SevFailure, "pytest passed: 1 failed (exit 0 despite errors)", false},
	} {
		r := &result.ToolResult{Status: test.status, ExitCode: test.exit, Findings: []result.Finding{{Severity: test.found}}}
		if got := owns(r, test.header, false); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestTally(t *testing.T) {
	var total tally
	total.add(measured{Case: golden.Case{Name: "a/b"}, facts: make([]fact, 4), lost: make([]fact, 1), raw: 100, compact: 20, falseVerdict: true, result: &result.ToolResult{}})
	total.add(measured{Case: golden.Case{Name: "a/c"}, facts: make([]fact, 6), extracted: true, raw: 100, compact: 30, emptyParsed: true, result: &result.ToolResult{ParserConfidence: result.Parsed}})
	want := tally{cases: 2, parsed: 1, extracted: 1, facts: 4, lost: 1, guessed: 6, raw: 200, compact: 50, falseVerdicts: 1, empty: 1}
	if total != want {
		t.Errorf("got %+v, want %+v", total, want)
	}
}

// TestRun replays a folder in the shape of golden's.
func TestRun(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, "demo", "case", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"cmd": "./demo", "cwd": "/w", "version": "", "stdout": "a.c:3: boom\n" + strings.Repeat("some other text\n", 99), "stderr": "", "exit": "1", "truth": "at a.c:3\nat b.c:9\n"} {
		write(name, text)
	}
	var out strings.Builder
	ok, err := run(&out, func() ([]golden.Case, error) { return golden.Load(root) }, "", true, true)
	if err != nil || !ok {
		t.Fatalf("%t, %v\n%s", ok, err, out.String())
	}
	for _, want := range []string{"lost   demo/case: at b.c:9\n", "MISSED  facts kept: 50.00 %", "met     false verdicts: 0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("does not say %q:\n%s", want, out.String())
		}
	}
	if _, err := run(&out, func() ([]golden.Case, error) { return nil, nil }, "", false, false); err == nil {
		t.Error("an empty folder is measured without complaint")
	}
}
