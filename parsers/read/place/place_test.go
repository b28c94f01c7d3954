package place

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestForms: each form that the comment of Cut names, with and without its optional
// parts, and what follows it.
func TestForms(t *testing.T) {
	for line, want := range map[string]result.Location{
		"src/a.c:3:7: rest":               {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c:3: rest":                 {Path: "src/a.c", Line: 3},
		"src/a.c:3:7 - rest":              {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c:3 - rest":                {Path: "src/a.c", Line: 3},
		"src/a.c(3,7): rest":              {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c(3, 7): rest":             {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c(3): rest":                {Path: "src/a.c", Line: 3},
		"src/a.c (3): rest":               {Path: "src/a.c", Line: 3},
		"src/a.c (3,7): rest":             {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c:3:7-9: rest":             {Path: "src/a.c", Line: 3, Column: 7, EndColumn: 9},
		"src/a.c:3-5: rest":               {Path: "src/a.c", Line: 3, EndLine: 5},
		"src/a.c:3.7-9: rest":             {Path: "src/a.c", Line: 3, Column: 7, EndColumn: 9},
		"src/a.c: line 3, col 7, rest":    {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c: line 3, column 7, rest": {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c: line 3 column 7: rest":  {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c: line 3: rest":           {Path: "src/a.c", Line: 3},
		`"src/a.c", line 3: rest`:         {Path: "src/a.c", Line: 3},
		"src/a.c, line 3, col 7, rest":    {Path: "src/a.c", Line: 3, Column: 7},
		"src/a.c, line 3:7: rest":         {Path: "src/a.c", Line: 3, Column: 7},
		`C:\my src\a.c:3:7: rest`:         {Path: `C:\my src\a.c`, Line: 3, Column: 7},
		`C:\src\a.c(3): rest`:             {Path: `C:\src\a.c`, Line: 3},
		"src/größe.c:3: rest":             {Path: "src/größe.c", Line: 3},
		"src/v1.2/a-b_c.c:3: rest":        {Path: "src/v1.2/a-b_c.c", Line: 3},
		"src/a.c:999999999: rest":         {Path: "src/a.c", Line: 999999999},
		"src/a.c:3:7:9: rest":             {Path: "src/a.c", Line: 3, Column: 7},
	} {
		at, rest, ok := Cut(line)
		if !ok || at != want || !strings.HasSuffix(rest, "rest") {
			t.Errorf("%q: %+v %q %v, want %+v", line, at, rest, ok, want)
		}
	}
}

// TestNoForm: lines that hold numbers and colons, and no place.
func TestNoForm(t *testing.T) {
	for _, line := range []string{
		"", ":3: x", " a.c:3: x", "\ta.c:3: x", "#3: x", "{a:3}", "it's a.c:3: x", "got 3: want 4", "3:7: x", "10:30:15 done", "2026-11-22 10:30: x",
		"https://a.example:443: refused", "a.c:0: x", "a.c(0): x", "a.c:3x: y", "a.c(3)x", "a.c(3", "step (3): x", "it read a.c (3): x", "a.c (3) x", "v1.2 (3): x", "a.c, line x: y", "a.c:9999999999: x", "a b c:3: x",
		strings.Repeat("a", MaxPlace) + ":3: x",
	} {
		if at, rest, ok := Cut(line); ok {
			t.Errorf("%.60q: %+v %q", line, at, rest)
		}
	}
}

// TestColons: the readers of a place that is all of a text, or stands at its
// beginning.
func TestColons(t *testing.T) {
	for text, want := range map[string]string{"a.js:3:7": "a.js:3:7", "a.js:0:0": "a.js", `C:\a.js:3:7`: `C:\a.js:3:7`, "node:fs:3:7": "node:fs:3:7", "a.js:3": "", ":3:7": "", "a.js:x:7": "", "": ""} {
		got := ""
		if at := LastColons(text); at != nil {
			got = at.String()
		}
		if got != want {
			t.Errorf("LastColons(%q) is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"a.go:12": 12, `C:\a.go:12`: 12, "a.go:0": 0, "a.go:-1": 0, "a.go": 0, ":12": 0, "a.go:12 ": 0} {
		if path, n, ok := CutLineNumber(text); ok != (want > 0) || ok && (n != want || path+":12" != text) {
			t.Errorf("CutLineNumber(%q): %q %d %v", text, path, n, ok)
		}
	}
	for line, want := range map[string]string{
		"a.py:3: in f": "a.py:3|in f", "a.py:3:": "a.py:3|", "a.py:3": "a.py:3|", `C:\a.py:3: x`: `C:\a.py:3|x`, "my dir/a.py:3: x": "my dir/a.py:3|x",
		"a.py:x:3: y": "a.py:x:3|y", " a.py:3: x": "", "> a.py:3: x": "", "a = b:3: x": "", `f("b:3: x`: "", "a.py:3x": "", "no place": "", "": "",
	} {
		got := ""
		if at, rest, ok := CutPlace(line); ok {
			got = at.String() + "|" + rest
		}
		if got != want {
			t.Errorf("CutPlace(%q) is %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{"##[error]a.cs(3,7): x": "a.cs(3,7): x", "Error: a.c:3: x": "a.c:3: x", "a.c:3: Error: x": "a.c:3: Error: x"} {
		if got := CutAnnotation(line); got != want {
			t.Errorf("CutAnnotation(%q) is %q", line, got)
		}
	}
}

// TestFiles: which paths lie in the workspace, and how they are written from the
// directory that the tool ran in.
func TestFiles(t *testing.T) {
	files := NewFiles(result.Workspace{})
	files.Fallback("/home/u/shop")
	files.Fallback("/elsewhere")
	for path, want := range map[string]struct {
		external bool
		here     string
	}{
		"src/a.py": {false, "src/a.py"}, "/home/u/shop/src/a.py": {false, "src/a.py"}, "/usr/lib/python3/x.py": {true, ""}, "<string>": {true, ""},
		"/home/u/shop2/a.py": {true, ""},
	} {
		for range 2 { // the second answer is remembered
			if external, here := files.External(path), files.FromHere(path); external != want.external || here != want.here {
				t.Errorf("%s: %v %q, want %+v", path, external, here, want)
			}
		}
	}
}
