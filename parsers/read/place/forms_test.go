package place

import "testing"

func TestCut(t *testing.T) {
	for line, want := range map[string]string{
		"src/a.c:3:7: error: no":             "src/a.c:3:7|error: no",
		"src/a.c:3: no":                      "src/a.c:3|no",
		"a.sh:3:7 - no":                      "a.sh:3:7|no",
		"src/a.ts(3,7): error TS1: no":       "src/a.ts:3:7|error TS1: no",
		"a.pas(3) Error: no":                 "a.pas:3|Error: no",
		"a.js: line 3, col 7, Error - no":    "a.js:3:7|Error - no",
		"install.sh: line 3: x: not found":   "install.sh:3|x: not found",
		"yaml: line 7: not allowed here":     "",
		"bash: line 1: x: not found":         "",
		"error: line 2: Unknown tag: X":      "",
		`"a b/c.f", line 3: no`:              "a b/c.f:3|no",
		`C:\src\a.c:3:7: no`:                 `C:\src\a.c:3:7|no`,
		"my dir/a.c:3:7: no":                 "my dir/a.c:3:7|no",
		"Makefile:8: recipe failed":          "Makefile:8|recipe failed",
		"a.y:3.7-9: syntax error":            "a.y:3:7|syntax error",
		"a.py:12":                            "a.py:12|",
		"12:30:11 worker started":            "",
		"http://localhost:8080: refused":     "",
		"2026-11-20T12:30:11 x":              "",
		"  a.c:3:7: indented":                "",
		"Error: got 3: want 4":               "",
		"error in step 3: it failed":         "",
		"localhost:8080":                     "localhost:8080|",
		"a.c:0:1: no":                        "",
		"x = d[3]: y":                        "",
		"src/a.ts[3, 7]: no":                 "src/a.ts:3:7|no",
		"x[3, 7]: y":                         "",
		"The tool said a.c and more:3: no":   "",
		"src/a.go:3:7: x:9:1: undefined: y":  "src/a.go:3:7|x:9:1: undefined: y",
		"a.c:99999999999:1: no":              "",
		"nb.ipynb:cell_2:3:7: E1 no":         "nb.ipynb:3:7|E1 no",
		"a.ipynb:cell 12:3: no":              "a.ipynb:3|no",
		"Foo.java:[3,7] no":                  "Foo.java:3:7|no",
		"src/a.kt: (3, 7): no":               "src/a.kt:3:7|no",
		"got x: (3, 7): no":                  "",
		"x.y:[3] no":                         "",
		"a.c\tsrc/a.c:3:7: no":               "src/a.c:3:7|no",
		"file /etc/m.cf: line 12: bad count": "/etc/m.cf:12|bad count",
		"-:3:7: no":                          "-:3:7|no",
		"-:3 DL1 warning: no":                "-:3|DL1 warning: no",
		"- 3: no":                            "",
		"--:3: no":                           "",
	} {
		at, rest, ok := Cut(line)
		got := ""
		if ok {
			got = at.String() + "|" + rest
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}
