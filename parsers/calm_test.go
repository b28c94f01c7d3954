package parsers

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestUnknownLines: what programs without a parser report is found by the form of its
// lines, in a run that exits 0 too, whose status stays ok. What a program shows of files,
// or counts without a text, is no finding.
func TestUnknownLines(t *testing.T) {
	for _, c := range []struct {
		line, stdout string
		code         int
		want         []string
	}{
		{"sasslint -v a.scss", "a.scss\n  1:14  warning  Nesting depth 3 greater than max of 2  nesting-depth\n\n1 problem (0 errors, 1 warning)\n", 0,
			[]string{"a.scss:1:14 warning nesting-depth Nesting depth 3 greater than max of 2"}},
		{"sasslint -v -f unix a.scss", "a.scss:1:14: Nesting depth 3 greater than max of 2 [Warning/nesting-depth]\n", 0,
			[]string{"a.scss:1:14 warning nesting-depth Nesting depth 3 greater than max of 2"}},
		{"vnu a.html", "\"file:/src/a.html\":2.6-2.18: error: An “img” element must have an “alt” attribute.\n", 1,
			[]string{"a.html:2:6 error  An “img” element must have an “alt” attribute."}},
		{"vnu --format json a.html", `{"messages":[{"type":"error","url":"file:/src/a.html","lastLine":2,"lastColumn":18,"firstColumn":6,"message":"No alt."}]}`, 1,
			[]string{"a.html:2:6 error  No alt."}},
		{"bashate land", "land:7:1: E006 Line too long\n1 bashate error(s) found\n", 1, []string{"land:7:1 error E006 Line too long"}},
		{"pylama --format json", `[{"source": "pycodestyle", "col": 10, "lnum": 1, "etype": "E", "message": "multiple imports", "filename": "a.py", "number": "E401"}]`, 1,
			[]string{"a.py:1:10 error E401 multiple imports"}},
		{"complexity -j src", `{"src/bad.py":[{"type":"function","name":"f","lineno":3,"complexity":4,"rank":"A"}]}`, 0, nil},
		{"cat build.log", "src/a.c:3:7: error: x undeclared\n", 0, nil},
	} {
		in := Input{Shell: c.line, Source: Separate([]byte(c.stdout), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
		r := Parse(in, result.Exit{Observed: true, Code: c.code})
		var got []string
		for _, f := range r.Findings {
			got = append(got, strings.Join([]string{f.Location, string(f.Severity), f.Rule, f.Message}, " "))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") || (r.Status == result.OK) != (c.code == 0) {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.line, r.Status, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
