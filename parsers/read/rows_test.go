package read

import (
	"strings"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

func TestForm(t *testing.T) {
	for _, c := range []struct{ form, line, want string }{
		{"possible bashism in {path} line {line} ({message}):", "possible bashism in my script.sh line 3 (it's (bad)):", "my script.sh:3 it's (bad)"},
		{"{path}:{line}:{column}: {severity}: {message} [{rule}]", "a.c:3:7: Error: odd [x] thing [no-x]", "a.c:3:7 error odd [x] thing [no-x]"},
		{"{path}:{line}: {message}", `C:\dev\a.c:3: text`, `C:\dev\a.c:3 text`},
		{"{place}: {severity} {message}", "src/a.ts(3,7): error broken", "src/a.ts:3:7 error broken"},
		{"{place} {message}", `"src/a.c", line 3: broken`, "src/a.c:3 broken"},
		{"  {line}:{column}  {severity}  {message}  {rule}", "    12:4   warning   two  blanks inside    semi  ", ":12:4 warning two  blanks inside [semi]"},
		{"{rule} {message}", "E501 line too long", "line too long [E501]"},
		{"{message}. {rule}", "One. Two. three-four", "One. Two [three-four]"},
		{"{path}:{line}: {message}", "a.c:1234567890: text", ""}, // no number of a line
		{"{path}:{line}: {message}", "a.c:3: ", ""},              // no message
		{"{path}:{line}: {message}", "a.c:3:7: text", ""},        // the line is 3
		{"{path} at {line}", "a.c at 3 or 4", ""},                // the whole line
		{"{severity}: {message}", "whatever: text", ""},          // no severity
		{"{line}  {message}", "3 text", ""},                      // one blank is not two
	} {
		m, ok := FormOf(c.form).Match(c.line)
		got := ""
		if ok {
			f := result.Finding{}
			m.Fill(&f, "")
			got = said(&f, &m)
		}
		if got != c.want {
			t.Errorf("%q on %q:\n got %q\nwant %q", c.form, c.line, got, c.want)
		}
	}
}

// said writes a match on one line.
func said(f *result.Finding, m *Match) string {
	words := []string{}
	if f.At != nil {
		words = append(words, f.At.String())
	} else if m.text[fieldLine] != "" {
		words = append(words, ":"+m.text[fieldLine]+":"+m.text[fieldColumn])
	}
	for _, w := range []string{f.RawSeverity, f.Message} {
		if w != "" {
			words = append(words, w)
		}
	}
	if f.Rule != "" {
		words = append(words, "["+f.Rule+"]")
	}
	return strings.Join(words, " ")
}

func TestFormRefused(t *testing.T) {
	for _, c := range []struct{ form, why string }{
		{"{paht}: {message}", "{paht} is no field"},
		{"{path", "a brace is not closed"},
		{"{path}{message}", "text is needed before {message}"},
		{"{path} {path}", "{path} stands twice"},
		{"", "it is empty"},
	} {
		if _, err := ParseForm(c.form); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v, want %q", c.form, err, c.why)
		}
	}
}

// TestFormTries: a form with many fields of text gives up on a line that almost fits.
func TestFormTries(t *testing.T) {
	form := FormOf("{id} a {message} a {expected} a {actual} a {path}!")
	if _, ok := form.Match(strings.Repeat("a ", 1<<15)); ok {
		t.Error("matched")
	}
}

var fakeLinter = Rows{
	Rows: []Row{
		{Form: "== {path}", As: InPath},
		{Form: "{line}: {severity} {message} ({rule})"},
		{Form: "{line}: {message}", As: Warning},
		{Form: "  see {url}", As: Fill},
		{Form: "bad option {}", As: Misuse},
		{Form: "{#problems} problems, {#error} errors", As: Close},
	},
	Below: Indented,
}

func TestRows(t *testing.T) {
	rep := fakeLinter.Parse(output("== a.x\n1: error broken (r1)\n  source\n  see https://example.org/r1\n2: odd\nnoise\n== b.x\n3: error again (r2)\n3 problems, 2 errors\n", ""))
	if rep == nil {
		t.Fatal("declined")
	}
	want := []string{"a.x:1 error broken [r1]", "a.x:2 odd", "b.x:3 error again [r2]"}
	for i, f := range rep.Findings {
		if got := said(&f, &Match{}); i >= len(want) || got != want[i] {
			t.Errorf("finding %d: %q", i, got)
		}
	}
	if len(rep.Findings) != len(want) || rep.Problems != 3 || rep.Claimed != 2 || !rep.Complete {
		t.Errorf("%d findings, problems %d, claimed %d, complete %v", len(rep.Findings), rep.Problems, rep.Claimed, rep.Complete)
	}
	if f := rep.Findings[0]; f.RuleURL != "https://example.org/r1" || !strings.Contains(f.Detail, "source") {
		t.Errorf("%+v", f)
	}
	if rep.Findings[1].Severity != result.SevWarning {
		t.Errorf("%+v", rep.Findings[1])
	}
	if rep := fakeLinter.Parse(output("bad option --x\n", "")); rep == nil || rep.Meaning != result.MeansUsage {
		t.Errorf("misuse: %+v", rep)
	}
	if rep := fakeLinter.Parse(output("== a.x\nnothing else\n", "")); rep != nil {
		t.Errorf("a path alone: %+v", rep)
	}
}

// TestBeside: words around a document are findings too, and lines of the document are
// not read as words.
func TestBeside(t *testing.T) {
	words := Rows{Rows: []Row{{Form: "error: {message}"}, {Form: `{}"error: {message}`}}}
	parse := Beside(Objects{At: []string{"/*"}, Clean: true, Path: "f", Line: "l", Message: "m"}.Parse, words)
	rep := parse(output("[\n{\"f\":\"a.x\",\"l\":1,\"m\":\"error: of the document\"}\n]\n", "error: the configuration is wrong\n"))
	if rep == nil || len(rep.Findings) != 2 || rep.Findings[1].Message != "the configuration is wrong" {
		t.Fatalf("%+v", rep)
	}
	if rep := parse(output("", "error: nothing was read\n")); rep == nil || len(rep.Findings) != 1 {
		t.Errorf("words alone: %+v", rep)
	}
	if rep := parse(output("[]\n", "")); rep == nil || len(rep.Findings) != 0 {
		t.Errorf("an empty document: %+v", rep)
	}
}

func TestBlocks(t *testing.T) {
	runner := Blocks{
		Head: func(text string) (string, bool) { return strings.CutPrefix(text, "● ") },
		Ends: func(text string) bool { return strings.HasPrefix(text, "Tests: ") },
		Take: func(s *Sink, b *Block) {
			s.FindBlock(b, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title, Message: b.Body[0]})
		},
		Test: func(text string) (v tool.Test, ok bool) {
			if v.ID, ok = strings.CutPrefix(text, "ok "); ok {
				v.Outcome = Passed
			}
			return v, ok
		},
		Counts: []Row{{Form: "Tests: {#failed} failed, {#passed} passed", As: Close}},
		Closes: true,
	}
	rep := runner.Parse(output("ok adds\nok sums\n● removes\nexpected 4\n\n● lists\ntimeout\nTests: 2 failed, 2 passed\n", ""))
	if rep == nil || len(rep.Findings) != 2 || rep.Claimed != 2 || !rep.Complete || rep.Counts["passed"] != 2 || rep.Findings[1].Message != "timeout" {
		t.Fatalf("%+v", rep)
	}
	cut := runner.Parse(output("ok adds\n● removes\nexpected 4\n", ""))
	if cut == nil || cut.Complete || len(cut.Findings) != 1 || cut.Counts["passed"] != 1 {
		t.Errorf("without an end: %+v", cut)
	}
}

// output is what a program printed of which nothing else is known.
func output(stdout, stderr string) *tool.Input { return input("", stdout, stderr) }

// FuzzForm: a form that is read describes any line or not, and never panics; what a
// field holds stands in the line.
func FuzzForm(f *testing.F) {
	f.Add("{path}:{line}: {message}", "a.c:3: text")
	f.Add("  {line}:{column}  {severity}  {message}  {rule}", "  3:7  error  x  y")
	f.Add("{place} {message}", "a.c(3): x")
	f.Fuzz(func(t *testing.T, form, line string) {
		parsed, err := ParseForm(form)
		if err != nil {
			return
		}
		m, ok := parsed.Match(line)
		if !ok {
			return
		}
		for i, text := range m.text {
			if !strings.Contains(line, text) {
				t.Errorf("field %d holds %q, which is not in %q", i, text, line)
			}
		}
		m.Fill(&result.Finding{}, "x")
	})
}
