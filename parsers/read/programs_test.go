package read

import (
	"strings"
	"testing"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestTraceback: frames, notes of a recursion, groups, and where one ends.
func TestTraceback(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		last  string
		own   string
		takes int // lines
	}{
		"plain":        {"Traceback (most recent call last):\n  File \"/w/app.py\", line 3, in <module>\n    main()\n    ~~~~^^\n  File \"/usr/lib/python3/json.py\", line 9, in loads\n    x\nm.err.BadRow: no\nnext", "m.err.BadRow: no", "/w/app.py:3", 7},
		"syntax error": {"  File \"/w/a.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n", "SyntaxError: invalid syntax", "/w/a.py:1", 4},
		"recursion":    {"Traceback (most recent call last):\n  File \"/w/a.py\", line 2, in f\n    f()\n  [Previous line repeated 9 more times]\nRecursionError\n", "RecursionError", "/w/a.py:2", 5},
		"in a group":   {"  | Traceback (most recent call last):\n  |   File \"/w/a.py\", line 2, in f\n  |     f()\n  | ValueError: x\n", "ValueError: x", "/w/a.py:2", 4},
		"broken off":   {"Traceback (most recent call last):\n  File \"/w/a.py\", line 2, in f\n\nother\n", "", "/w/a.py:2", 2},
		"no traceback": {"File a.py, line 3\n", "", "", 0},
	} {
		var tb Traceback
		takes := 0
		for _, line := range strings.Split(c.text, "\n") {
			if tb.Line(line) {
				takes++
			}
		}
		own := ""
		if at := tb.Own(place.NewFiles(result.Workspace{Root: "/w", Dir: "/w"})); at != nil {
			own = at.String()
		}
		if tb.Last != c.last || own != c.own || takes != c.takes || tb.Whole() != (c.last != "") {
			t.Errorf("%s: %q at %q in %d lines, want %q at %q in %d", name, tb.Last, own, takes, c.last, c.own, c.takes)
		}
	}
	tb := Traceback{Last: "m.err.BadRow: no"}
	if tb.Class() != "BadRow" {
		t.Error(tb.Class())
	}
}

// TestPythonTrouble: how programs in Python end, if the command names them.
func TestPythonTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		message string
		meaning result.Meaning
	}{
		"argparse": {"usage: x [-h]\nx: error: unrecognized arguments: --nope\n", "unrecognized arguments: --nope", result.MeansUsage},
		"click":    {"Usage: x [OPTIONS]\n\nError: No such option: --nope\n", "No such option: --nope", result.MeansUsage},
		"typer":    {"Usage: x [OPTIONS]\n╭─ Error ──────╮\n│ No such option │\n╰──────╯\n", "No such option", result.MeansUsage},
		"it broke": {"Traceback (most recent call last):\n  File \"/x.py\", line 1, in f\n    g\nKeyError: 3\n", "3", result.MeansInternal},
	} {
		r := PythonTrouble("x").Parse(input("x --nope", "", c.text))
		if r == nil || len(r.Findings) != 1 || r.Findings[0].Message != c.message || r.Meaning != c.meaning {
			t.Errorf("%s: %v", name, told(r))
		}
		if r := PythonTrouble("y").Parse(input("x --nope", "", c.text)); r != nil {
			t.Errorf("%s: taken for another program's", name)
		}
	}
	if r := PythonUsage("x").Parse(input("x", "", "Traceback (most recent call last):\n  File \"/x.py\", line 1, in f\nKeyError: 3\n")); r != nil {
		t.Errorf("a test's traceback: %v", told(r))
	}
}

// TestNodeCrash: memory ran out in a tool that the command, or a line of npm's,
// runs.
func TestNodeCrash(t *testing.T) {
	const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"
	runs := func(argv []string) bool { return argv[0] == "x" }
	for name, c := range map[string]struct {
		command string
		lines   []string
		want    bool
	}{
		"the command":  {"npx x .", []string{heap}, true},
		"a script":     {"npm run lint", []string{"> x .", heap}, true},
		"another tool": {"npm run lint", []string{"> y .", heap}, false},
		"no crash":     {"x", []string{"FATAL ERROR: no"}, false},
	} {
		n, rep := NewNodeCrash(input(c.command, "", ""), runs), tool.NewReport()
		for _, line := range c.lines {
			n.See(tool.Line{Text: line})
		}
		if got := n.Report(rep); got != c.want || got != (len(rep.Findings) == 1) {
			t.Errorf("%s: %v, %v", name, got, told(rep))
		}
	}
}

// TestWholeLine: of a line that is longer than what is kept of one, the text is
// read again.
func TestWholeLine(t *testing.T) {
	long := strings.Repeat("x", tool.MaxLine+10)
	in := input("x", "a\n"+long+"\nb\n", "")
	for l := range in.Lines() {
		var got strings.Builder
		for _, text := range WholeLine(in, l) {
			got.WriteString(text)
		}
		if s := strings.TrimSuffix(got.String(), "\n"); s != l.Text && s != long {
			t.Errorf("%d bytes of a line of %d", len(s), l.End-l.Start)
		}
	}
}

func TestCutGlued(t *testing.T) {
	for text, want := range map[string]string{"]warning: x": "warning: x", "}x": "x", "] ": "", "],": "", "]": "", "x]": ""} {
		l, ok := CutGlued(tool.Line{Text: text})
		if ok != (want != "") || ok && l.Text != want {
			t.Errorf("%q: %q %v", text, l.Text, ok)
		}
	}
}

func TestTextLines(t *testing.T) {
	for text, want := range map[string]string{
		"\n\na\nb  \n\n":          "a|b",
		"#x1B[31mred#x1B[0m\nx\r": "red|x",
		" \n":                     "",
	} {
		if got := strings.Join(TextLines(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
