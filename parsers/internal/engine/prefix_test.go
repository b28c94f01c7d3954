package engine

import (
	"testing"
)

func TestCutTask(t *testing.T) {
	for _, c := range []struct{ line, key, rest string }{
		{"[0] npm test", "[0] ", "npm test"},
		{"[lint  ] x", "[lint  ] ", "x"},
		{"[@mono/a]: x", "[@mono/a]: ", "x"},
		{"[ci/test]   | x", "[ci/test] ", "  | x"},
		{"[12:00:01] x", timeKey, "x"},
		{"[gw0]x", "", ""},
		{"[]  x", "", ""},
		{"@mono/a:test: x", "@mono/a:test: ", "x"},
		{"@mono/a: x", "@mono/a: ", "x"},
		{"packages/a test:unit: src/x.ts(1,2): error TS1: y", "packages/a test:unit: ", "src/x.ts(1,2): error TS1: y"},
		{"web lint: x", "web lint: ", "x"},
		{"/usr/bin/ld: a.c:3: x", "", ""},
		{"many.sh: 2: x: not found", "", ""},
		{"web-1  | x", "web-1  | ", "x"},
		{"   web | x", "   web | ", "x"},
		{"web │ x", "web │ ", "x"},
		{"  12 | let x = 1;", "", ""},
		{"   let y: z", "", ""},
		{"12 | let x = 1;", "", ""},
		{"  | x", "", ""},
		{"tests/a.py\t=== x", "tests/a.py\t", "=== x"},
		{"#7 1.234 x", "#7", "x"},
		{"#7 1.234", "#7", ""},
		{"#7 [2/3] RUN x", "", ""},
		{"#7", "", ""},
		{"2026-01-31T12:00:00Z x", timeKey, "x"},
		{"2026-01-31T12:00:00.1234567Z x", timeKey, "x"},
		{"2026-01-31 12:00:00,123 x", timeKey, "x"},
		{"2026-01-31T12:00:00+01:00 x", timeKey, "x"},
		{"2026-01-31T12:00:00.000000Z 01O x", timeKey, "x"},
		{"12:00:00 x", timeKey, "x"},
		{"12:00 x", "", ""},
		{"2026/01/31 12:00:00 x", timeKey, "x"},
		{"2026/01/31 x", "", ""},
		{"Jan 31 12:00:00 x", timeKey, "x"},
		{"Feb  1 12:00:00 ci-1 runner[7]: x", timeKey, "ci-1 runner[7]: x"},
		{"ci-1 runner[7]: x", "ci-1 runner[7]: ", "x"},
		{"Mai 31 12:00:00 x", "", ""},
		{"anF 31 12:00:00 x", "", ""},
		{"Jan 31", "", ""},
		{"[12:00:00] :\t [Step 1/2] x", timeKey, "[Step 1/2] x"},
		{"[12:00:00]W:\t x", timeKey, "x"},
		{"[12:00:00]WX:\t x", "", ""},
		{`Step #2 - "unit": x`, `Step #2 - "unit": `, "x"},
		{"Step #2: x", "Step #2: ", "x"},
		{"a.py:3: error: x", "", ""},
		{"a.py:3:1: error: x", "", ""},
		{"src/a.ts(1,2): error TS1: x", "", ""},
		{"error: could not compile", "", ""},
		{"npm error: x y: z", "", ""},
		{"make[1]: *** [x] Error 1", "make[1]: ", "*** [x] Error 1"},
		{"", "", ""},
		{" [0] x", "", ""},
	} {
		key, n := cutTask([]byte(c.line))
		if string(key) != c.key || n > 0 && c.line[n:] != c.rest {
			t.Errorf("%q: key %q, rest %q", c.line, key, c.line[n:])
		}
	}
}

func TestTasksOf(t *testing.T) {
	ts := newTasks()
	ts.suspect([]byte("[0] "))
	ts.suspect([]byte("@a:b: "))
	for line, want := range map[string]string{
		"[0] x":                                  "x",
		"[0]":                                    "",
		"\x1b[34m[0]\x1b[39m x":                  "x",
		"\x1b[34m[0] \x1b[39mx":                  "\x1b[39mx",
		"\x1b]8;;file:///x\x1b\\[0] x":           "x",
		"\u009b34m@a:b: \u009b0mx\r":             "\u009b0mx\r",
		"\x1b[35m@a:b:\x1b[0m \x1b[31mx\x1b[39m": "\x1b[31mx\x1b[39m",
		"[1] x":                                  "[1] x",
		"[\rx":                                   "[\rx",
		"x":                                      "x",
		"":                                       "",
	} {
		_, n := ts.of([]byte(line))
		if line[n:] != want {
			t.Errorf("%q: rest %q", line, line[n:])
		}
	}
}

func TestTaskName(t *testing.T) {
	for key, want := range map[string]string{"web  | ": "web", "[lint] ": "lint", "ci-1 runner[7]: ": "runner", "cron[12]: ": "cron", timeKey: ""} {
		if got := taskName(key); got != want {
			t.Errorf("taskName(%q) = %q, want %q", key, got, want)
		}
	}
}
