package parsers

import (
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// TestJenkinsTimes: its times are followed by two blanks, which are none of the
// text's.
func TestJenkinsTimes(t *testing.T) {
	const out = "09:00:01  + make types\n09:00:01  tsc -p .\n09:00:02  a.ts:1:2 - error TS1005: ';' expected.\n09:00:02  \n09:00:02  1 let\n09:00:02       ~~~\n09:00:02  \n09:00:02  \n09:00:02  Found 1 error in a.ts:1\n09:00:02  \n09:00:03  make: *** [Makefile:4: types] Error 1\n"
	r := ofShell("./ci", out, 2)
	if got := locationsOf(r); len(got) != 1 || got[0] != "a.ts:1:2" || r.Findings[0].Message != "';' expected." || r.ParserConfidence != result.Parsed {
		t.Errorf("%s: %+v", r.ParserConfidence, r.Findings)
	}
}

// TestBuildShowsAgain: a build of an image shows the last lines of a step that
// failed twice.
func TestBuildShowsAgain(t *testing.T) {
	const out = "#7 [4/4] RUN go test ./...\n#7 7.001 --- FAIL: TestA (0.00s)\n#7 7.002     --- FAIL: TestA/sub (0.00s)\n#7 7.003         a_test.go:9: broke\n#7 7.004 FAIL\n#7 7.005 FAIL\texample.com/a\t0.002s\n#7 7.006 FAIL\n#7 ERROR: process did not complete successfully: exit code: 1\n------\n > [4/4] RUN go test ./...:\n7.001 --- FAIL: TestA (0.00s)\n7.002     --- FAIL: TestA/sub (0.00s)\n7.003         a_test.go:9: broke\n7.004 FAIL\n7.006\n------\n"
	r := ofShell("docker build .", out, 1)
	if len(r.Findings) != 2 || r.Findings[0].ID != "example.com/a.TestA/sub" || r.Findings[1].ID != "#7" {
		t.Errorf("%+v", r.Findings)
	}
}

// TestUnknownBehindPrefix: what a compiler prints that no line names is read behind the names of tasks, too: its
// paths without them, from the directory of the task.
func TestUnknownBehindPrefix(t *testing.T) {
	const gcc = "a.c: In function 'f':\na.c:1:9: warning: unused variable 'u' [-Wunused-variable]\n    1 | int u;\n      |     ^\na.c:3:1: error: expected ';' before '}' token\n"
	const make = gcc + "make: *** [Makefile:2: all] Error 1\n"
	for _, c := range []struct{ line, prefix, out, dir string }{
		{"docker build .", "#12 0.345 ", gcc, ""},
		{"docker build .", "#12 0.345 ", make, ""},
		{"docker compose up", "web-1  | ", make, ""},
		{"turbo run build", "app:build: ", gcc, ""},
		{"pnpm -r build", "packages/a build: ", make, "packages/a/"},
		{"yarn build", "packages/a build: ", gcc, "packages/a/"},
		{"concurrently make", "[0] ", gcc, ""},
		{"act", "[CI/test]   | ", make, ""},
		{"./ci", "2026-11-20T10:00:00.1234567Z ", gcc, ""},
		{"tilt ci", "web │ ", gcc, ""},
		{"earthly +build", "    +build | ", gcc, ""},
		{"gh run view 123 --log-failed", "build\tRun make\t2026-11-20T10:00:00.1234567Z ", make, ""},
	} {
		out := c.prefix + strings.ReplaceAll(strings.TrimSuffix(c.out, "\n"), "\n", "\n"+c.prefix) + "\n"
		r := ofShell(c.line, out, 2)
		want := []string{c.dir + "a.c:1:9", c.dir + "a.c:3:1"}
		if c.out == make {
			want = append(want, c.dir+"Makefile:2")
		}
		if got := locationsOf(r); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.line, got, want)
		}
		for _, f := range r.Findings {
			if line := out[f.RawSpan.Start:f.RawSpan.End]; !strings.Contains(line, f.Message) {
				t.Errorf("%s: %q does not stand in %q", c.line, f.Message, line)
			}
		}
	}
}

// TestLevelIsNoTask: a word in brackets that says how grave a line is stays with it.
func TestLevelIsNoTask(t *testing.T) {
	r := ofShell("./build.sh", "[WARNING] src/A.java:28:3: odd\n[ERROR] src/B.java:[3,7] bad\n", 1)
	if len(r.Findings) != 2 || r.Findings[0].Severity != result.SevWarning || r.Findings[1].Severity != result.SevError || r.Findings[1].Location != "src/B.java:3:7" {
		t.Errorf("%+v", r.Findings)
	}
}

// TestUnknownBesideKnown: of two tasks, one is a known tool's and the other one's program no line names.
func TestUnknownBesideKnown(t *testing.T) {
	const out = "py:test: =================================== FAILURES ===================================\npy:test: ____________________________________ test_b ____________________________________\npy:test: \npy:test:     def test_b():\npy:test: >       assert 1 == 2\npy:test: E       assert 1 == 2\npy:test: \npy:test: tests/test_a.py:6: AssertionError\n" +
		"py:test: =========================== short test summary info ============================\npy:test: FAILED tests/test_a.py::test_b - assert 1 == 2\npy:test: 1 failed, 1 passed in 0.03s\n" +
		"c:build: a.c: In function 'f':\nc:build: a.c:1:9: warning: unused variable 'u' [-Wunused-variable]\nc:build: a.c:3:1: error: expected ';' before '}' token\n"
	r := ofShell("turbo run test build", out, 1)
	if got := locationsOf(r); !slices.Equal(got, []string{"tests/test_a.py:6", "a.c:1:9", "a.c:3:1"}) || r.ParserConfidence != result.Parsed {
		t.Errorf("%s: %q", r.ParserConfidence, got)
	}
}

// TestLabelBeforePath: the name of a task that no reader takes off is no part of a path.
func TestLabelBeforePath(t *testing.T) {
	for _, label := range []string{"     [exec] ", "(web) "} {
		r := ofShell("./ci", label+"src/a.c:3:1: error: expected ';' before '}' token\n", 1)
		if got := locationsOf(r); !slices.Equal(got, []string{"src/a.c:3:1"}) {
			t.Errorf("%s: %q", label, got)
		}
	}
}

// TestJobOfServices: a service of compose, in a step of a job, whose log gh prints with times.
func TestJobOfServices(t *testing.T) {
	const begin = "test\tRun tests\t2026-11-20T10:00:00.1234567Z web-1  | "
	out := ""
	for line := range strings.Lines("=================================== FAILURES ===================================\n____________________________________ test_b ____________________________________\n\n" +
		"    def test_b():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:6: AssertionError\n=========================== short test summary info ============================\n" +
		"FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 1 passed in 0.03s\n") {
		out += begin + line
	}
	r := ofShell("gh run view 123 --log-failed", out, 0)
	if got := locationsOf(r); r.Status != result.Failed || r.Tool != "pytest" || !slices.Equal(got, []string{"tests/test_a.py:6"}) {
		t.Errorf("%s %s: %q", r.Tool, r.Status, got)
	}
}
