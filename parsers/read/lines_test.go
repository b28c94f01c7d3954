package read

import (
	"maps"
	"strings"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

func TestCounts(t *testing.T) {
	for line, want := range map[string]map[string]int{
		"3 failed, 2 passed":                        {"failed": 3, "passed": 2},
		"Tests: 3 failed, 12 total":                 {"failed": 3, "total": 12},
		"2 errors and 1 warning":                    {"errors": 2, "warning": 1},
		"(1 FAILED) [2 skipped]; 3 Passed!":         {"failed": 1, "skipped": 2, "passed": 3},
		"1 failed, 2 failed":                        {"failed": 3},
		"nothing at all":                            {},
		"12":                                        {},
		"99999999999 failed":                        {},
		"3 4 failed · 5 of 6":                       {"failed": 4, "of": 5},
		"finished in 2.5 seconds, 1 example failed": {"seconds": 5, "example": 1},
	} {
		if got := Counts(line); !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestCountsBehind(t *testing.T) {
	for line, want := range map[string]map[string]int{
		"Tests run: 13, Failures: 8, Errors: 1":  {"tests run": 13, "failures": 8, "errors": 1},
		"Passed: 1 , Failed: 2.":                 {"passed": 1, "failed": 2},
		"Time elapsed: 0.1 s, Failures: x":       {},
		"Tests: 7, Assertions: 9, Failures: 12!": {"tests": 7, "assertions": 9, "failures": 12},
		"":                                       {},
	} {
		if got := CountsBehind(line); !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestFailuresIn(t *testing.T) {
	for line, want := range map[string]int{
		"12 tests, 9 failures, 1 skipped":                          9,
		"16 steps (3 failed, 1 undefined, 1 pending, 11 passed)":   3,
		"10 runs, 8 assertions, 6 failures, 1 errors, 1 skips":     6,
		"Run: 5   Failure total: 4   Failures: 3   Errors: 1":      3,
		"Run: 5   Failure total: 0   Failures: 0   Errors: 0":      0,
		"FAILED (failures=4)":                                      4,
		"FAILED (errors=2, skipped=1)":                             2,
		"OK (expected failures=1)":                                 0,
		"OK (skipped=2, expected failures=1)":                      0,
		"# fail 1":                                                 1,
		"# fail 0":                                                 0,
		"10 FAILED TESTS":                                          10,
		" 1 error":                                                 1,
		"Total: 12 warnings / 1 error in 3 files":                  1,
		"Total: 12 warnings / 0 errors in 3 files":                 0,
		"assertions: 1 | 1 failed":                                 1,
		"Found 30 errors.":                                         30,
		"Found 0 errors":                                           0,
		"  1 known failure":                                        0,
		"Retrying after 3 failed attempts":                         0,
		"Compiled with 2 errors":                                   2,
		"✓ counts 2 errors":                                        0,
		"  ✓ 2 errors":                                             0,
		"ok 3 - 2 errors":                                          0,
		"  counts 2 errors":                                        0,
		"✖ 7 problems (3 errors, 4 warnings)":                      3,
		"✖ 4 problems (0 errors, 4 warnings)":                      0,
		"I waited in vain for 3 errors to come back from upstream": 0,
		"12 passed, 0 failed":                                      0,
		"Failed: 0, Passed: 12":                                    0,
		"error code 7":                                             0,
		"version 1.2.3 failed":                                     0,
		"at 10:42:03 errors were seen":                             0,
		"":                                                         0,
	} {
		if got := FailuresIn(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}

// TestLinter: where severities, rules, and lines below stand.
func TestLinter(t *testing.T) {
	for name, c := range map[string]struct {
		reader Linter
		text   string
		want   []string
	}{
		"severity and brackets":  {Linter{Rule: Brackets}, "a.py:3:7: warning: odd name [N801]\n", []string{"warning a.py:3:7 N801|odd name|", "complete"}},
		"brackets at a word":     {Linter{Rule: Brackets}, "A.scala:3:7: error: no member of Option[Int]\n", []string{"error A.scala:3:7 |no member of Option[Int]|", "complete"}},
		"parens":                 {Linter{Rule: Parens}, "a.yml:3:7: [error] too long (line-length)\n", []string{"error a.yml:3:7 line-length|too long|", "complete"}},
		"rule first":             {Linter{Rule: First, Plain: true}, "a.py:3:1: E302 expected 2 lines\n", []string{"error a.py:3:1 E302|expected 2 lines|", "complete"}},
		"default":                {Linter{Default: result.SevInfo}, "a.py:3: well\n", []string{"info a.py:3 |well|", "complete"}},
		"own words":              {Linter{Severity: StyleIsNote}, "a.sh:1:2: style: quote\n", []string{"info a.sh:1:2 |quote|", "complete"}},
		"severity behind a rule": {Linter{Rule: Ahead}, "Dockerfile:3 DL3008 warning: pin\nDockerfile:4:1 unexpected 'X'\n", []string{"warning Dockerfile:3 DL3008|pin|", "error Dockerfile:4:1 |unexpected 'X'|", "complete"}},
		"the program's name":     {Linter{Program: "lint"}, "lint:a.c:3: no\nlint: cannot open b.c\nother: said\n", []string{"error a.c:3 |no|", "error - |cannot open b.c|", "complete"}},
		"lines below":            {Linter{Below: Indented}, "a.c:1:2: error: no\n  int x\n  ^\nb.c:2:1: error: nor\n", []string{"error a.c:1:2 |no|  int x⏎  ^", "error b.c:2:1 |nor|", "complete"}},
		"no closing line":        {Linter{Closes: true}, "a.c:1:2: error: no\n", []string{"error a.c:1:2 |no|"}},
		"nothing":                {Linter{}, "all is well\n", []string{"declined"}},
	} {
		tells(t, name, c.reader.Parse(input("x", c.text, "")), c.want...)
	}
	tells(t, "stdout before stderr", Linter{}.Parse(input("x", "b.c:2:1: error: two\n", "a.c:1:1: error: one\n")), "error b.c:2:1 |two|", "error a.c:1:1 |one|", "complete")
}

func TestCutSeverity(t *testing.T) {
	for text, want := range map[string][2]string{
		"error: no":              {"error", "no"},
		"Warning: odd":           {"warning", "odd"},
		"[error] no":             {"error", "no"},
		"(warning) odd":          {"warning", "odd"},
		"fatal error: no header": {"fatal error", "no header"},
		"errors are many":        {"", "errors are many"},
		"[E1] no":                {"", "[E1] no"},
		"":                       {"", ""},
	} {
		if word, rest := CutSeverity(text); word != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q, want %q", text, word, rest, want)
		}
	}
}

// TestDiagnostics: what any program prints. A place alone is no error.
func TestDiagnostics(t *testing.T) {
	tells(t, "all kinds", Diagnostics(input("frob", "src/a.x:3:7: error: no [R1]\nfrob: cannot open\nerror: bad\nsrc/b.x:1:1: note: see\nlistening on host:8080\n", "")),
		"error src/a.x:3:7 R1|no|", "error - |frob: cannot open|", "error - |error: bad|", "complete")
	tells(t, "a place below", Diagnostics(input("frob", "error: `zeebra` is none\n  --> src/a.x:3:7\n  |\nerror: other\nmore\n  --> src/b.x:1:1\n", "")),
		"error src/a.x:3:7 |`zeebra` is none|  --> src/a.x:3:7⏎  |", "error src/b.x:1:1 |other|  --> src/b.x:1:1", "complete")
	tells(t, "a list", Diagnostics(input("frob", "src/a.rb -- 1 warning:\n  src/a.rb:3: Smell: no comment\n  a.rb:3: no path\n    src/a.rb:3: deeper\n", "")),
		"error src/a.rb:3 |Smell: no comment|", "complete")
	tells(t, "nothing", Diagnostics(input("frob", "building\ndone\n", "")), "declined")
	tells(t, "the one line of alarm", Diagnostics(input("frob", "building\nit failed because of the moon\n", "")),
		"error - |it failed because of the moon|", "complete")
	for _, said := range []string{"3c3\n< error: one\n---\n> error: two\n", "all is well\nnothing failed\n", "id | error\n1 | bad\n", "done\nno errors found\n", "-error: old\n+error: new\n"} {
		tells(t, "none: "+said, Diagnostics(input("frob", said, "")), "declined")
	}
}

// TestGrouped: rows below a path; the path alone proves nothing.
func TestGrouped(t *testing.T) {
	g := Grouped{Row: RowForm{LastColumn: true, Marks: map[string]result.Severity{"✖": result.SevError}}}
	tells(t, "rows", g.Parse(input("x", "src/a.css\n  3:7  ✖  no  block-no\n  4:1  warning  odd  rule\n\nsrc/b.css\n  1:1  error  two words\n", "")),
		"error src/a.css:3:7 block-no|no|", "warning src/a.css:4:1 rule|odd|", "error src/b.css:1:1 |two words|", "complete")
	tells(t, "a path alone", g.Parse(input("x", "src/a.css\n", "")), "declined")
	tells(t, "a row without a path", g.Parse(input("x", "  3:7  error  no  r\n", "")), "declined")
}

// TestNumbered: each failure under its number, its text without blank ends.
func TestNumbered(t *testing.T) {
	n := Numbered{
		Indent: "  ", Ends: func(text string) bool { return strings.HasPrefix(text, "Done") },
		Take: func(s *Sink, b *Block) {
			s.FindBlock(b, result.Finding{Message: b.Title, Detail: strings.Join(b.Body, "\n")})
		},
	}
	tells(t, "two", n.Parse(input("x", "Failures:\n\n  1) adds\n     no\n\n  2) takes\n     nor\nDone\n  3rd\n", "")),
		"error - |adds|     no", "error - |takes|     nor", "complete")
	tells(t, "aligned", n.Parse(input("x", "Failures:\n\n  9) adds\n 10) takes\n100) cuts\nDone\n", "")),
		"error - |adds|", "error - |takes|", "error - |cuts|", "complete")
	tells(t, "no number", n.Parse(input("x", "  x) adds\n1) shallow\n", "")), "declined")
}

func TestDedent(t *testing.T) {
	if got := strings.Join(Dedent([]string{"    a", "", "      b", "  "}), "|"); got != "a||  b|" {
		t.Errorf("%q", got)
	}
}

// TestSaid: lines that begin with a program's own words, and what explains them.
func TestSaid(t *testing.T) {
	s := Said{Errors: []string{"fatal: ", "error: "}, Warnings: []string{"warning: "}, Notes: []string{"hint:"}}
	tells(t, "notes belong", s.Parse(input("x", "fatal: no\nhint: try\n  more\nother\nwarning: odd\nerror: \n", "")),
		"error - |no|hint: try⏎  more", "warning - |odd|", "complete")
	s.Below = true
	tells(t, "below", s.Parse(input("x", "error: no\nwhatever\n\nother\n", "")), "error - |no|whatever", "complete")
	tells(t, "nothing", s.Parse(input("x", "fine\n", "")), "declined")
}

func TestWorkflow(t *testing.T) {
	w, ok := CutWorkflow("::error file=a%2Cb.py,line=3,endLine=4,col=7,endColumn=9,title=C0116::no%0Adoc")
	if !ok || w.At.Path != "a,b.py" || w.At.Line != 3 || w.At.EndLine != 4 || w.At.Column != 7 || w.At.EndColumn != 9 || w.Title != "C0116" || w.Message != "no\ndoc" || w.Word != "error" {
		t.Errorf("%+v %v", w, ok)
	}
	if w, ok := CutWorkflow("::notice file=a.py::look"); !ok || SeverityOf(w.Word) != result.SevInfo {
		t.Errorf("%+v %v", w, ok)
	}
	for _, line := range []string{"::group::a", "::error::no file", "::error file=a.py", ": :error file=a::x", "::set-output name=a::b", ""} {
		if w, ok := CutWorkflow(line); ok {
			t.Errorf("%q: %+v", line, w)
		}
	}
	if w, _ := CutWorkflow("::error file=a.py,line=99999999999::x"); w.At.Line != 0 {
		t.Errorf("%+v", w)
	}
}

func TestCheckstyle(t *testing.T) {
	const doc = "<?xml version=\"1.0\"?>\n<checkstyle version=\"4.3\">\n<file name=\"a.go\"><error line=\"3\" column=\"7\" severity=\"warning\" message=\"a &lt; b\" source=\"r\"/>\n</file>\n"
	fit := func(f *result.Finding) { f.Rule = "x." + f.Rule }
	tells(t, "whole", Checkstyle(fit)(input("x", doc+"</checkstyle>\n", "")), "warning a.go:3:7 x.r|a < b|", "complete")
	tells(t, "cut", Checkstyle(nil)(input("x", doc, "")), "warning a.go:3:7 r|a < b|")
	tells(t, "another document", Checkstyle(nil)(input("x", `<coverage><file name="a"><error message="no"/></file></coverage>`, "")), "declined")
}

func TestSARIF(t *testing.T) {
	const doc = `{"runs":[{"tool":{"driver":{"name":"x","version":"1.2"}},"results":[{"ruleId":"R1","level":"note","message":{"text":"odd"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":3,"startColumn":7}}}]}]}]}`
	r := SARIF(nil)(input("x", doc, ""))
	tells(t, "one", r, "info a.go:3:7 R1|odd|", "complete")
	if r != nil && r.Version != "1.2" {
		t.Errorf("version %q", r.Version)
	}
	tells(t, "cut", SARIF(nil)(input("x", doc[:len(doc)-3], "")), "info a.go:3:7 R1|odd|")
	tells(t, "another document", SARIF(nil)(input("x", `{"runs": 3}`, "")), "declined")
}

// TestJSON: documents of any layout; Clean makes an empty list the tool's.
func TestJSON(t *testing.T) {
	type problem struct{ File, Text string }
	j := JSON{Items: map[string]func(*Sink, []byte) error{"/*": Item(func(s *Sink, p *problem) {
		s.FindHere(result.Finding{Message: p.Text, At: &result.Location{Path: p.File}})
	})}}
	const one = `{"file": "a", "text": "no"}`
	tells(t, "one line", j.Parse(input("x", "["+one+"]\n", "")), "error a |no|", "complete")
	tells(t, "many lines, text around", j.Parse(input("x", "start\n[\n "+strings.ReplaceAll(one, ", ", ",\n")+"\n]\nend\n", "")), "error a |no|", "complete")
	tells(t, "on stderr", j.Parse(input("x", "", "["+one+"]")), "error a |no|", "complete")
	tells(t, "cut", j.Parse(input("x", "["+one+",", "")), "error a |no|")
	tells(t, "empty", j.Parse(input("x", "[]\n", "")), "declined")
	j.Clean = true
	tells(t, "clean", j.Parse(input("x", "[]\n", "")), "complete")
	if r := j.Parse(input("x", `[{"file": 3}, `+one+`]`, "")); r == nil || r.Doubt == "" {
		t.Errorf("another form is not doubted: %+v", r)
	}
}

// TestSink: the bounds of a detail, and what a message of several lines becomes.
func TestSink(t *testing.T) {
	s := NewSink(input("x", "", ""))
	s.Find(tool.Line{Start: 0, End: 5}, result.Finding{Message: " one\ntwo "})
	if f := s.Last(); f.Message != "one" || f.Detail != "one\ntwo" || f.Kind != result.Diagnostic || f.Severity != result.SevError {
		t.Errorf("%+v", f)
	}
	for range 100 {
		s.More(tool.Line{Text: strings.Repeat("x", 99), Start: 5, End: 105})
	}
	if f := s.Last(); len(f.Detail) > maxDetail || f.RawSpan.End != 105 {
		t.Errorf("%d bytes of detail, to %d", len(f.Detail), f.RawSpan.End)
	}
	s.Break()
	if s.Last() != nil {
		t.Error("the finding is still open")
	}
	for range tool.MaxFindings {
		s.Find(tool.Line{}, result.Finding{Message: "x"})
	}
	if n := len(s.Findings); n != tool.MaxFindings+1 || s.Last() != &s.Findings[n-1] {
		t.Errorf("%d findings, the last one that is told among them", n)
	}
	s.Findings[tool.MaxFindings].Severity = result.SevWarning // by a reader that looks at the last one
	s.Settle()
	if want := map[string]int{"error": tool.MaxFindings, "warning": 1}; s.Dropped != 1 || len(s.Findings) != tool.MaxFindings || !maps.Equal(s.Tally(), want) {
		t.Errorf("%d dropped, %v", s.Dropped, s.Tally())
	}
}
