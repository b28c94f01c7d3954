package jstest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/tap"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("japa", func(p *tool.Parser) {
	p.Is("japa", result.Test, 1, "japa 2 to 5: spec and dot; it is run as a script of the project")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Tests  …passed", "Tests  …failed", "FAILED", "NO TESTS EXECUTED"}, Sniff: isJapa, Parse: read.Fresh(func(j *japa) read.Text { return read.Text{Line: j.line, Turn: j.flush, End: j.flush, Closes: true} })})
})

// isJapa: "Tests  1 passed, 3 failed, 1 todo, 1 skipped (6)".
func isJapa(line string) bool {
	text := strings.TrimSpace(line)
	return text == "NO TESTS EXECUTED" || strings.HasPrefix(text, "Tests  ") && strings.HasSuffix(text, ")") && !strings.Contains(text, "|")
}

// japa reads the counts, and behind "ERRORS" each test that failed:
//
//	❯ cart / totals
//
//	- Expected  - 1
//	+ Received  + 1
//
//	- 3
//	+ 2
//
//	ℹ AssertionError: expected 2 to equal 3
//
//	 ⁃ at Object.executor (japa/cart.spec.mjs:4:43)
//	[1/3]─
type japa struct {
	block
	errors bool
}

func (j *japa) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case isJapa(l.Text):
		s.Tested = s.Scores(read.Counts(text[len("Tests  "):]), "passed: passed; failed: failed; skipped: skipped; todo: todo") > 0
		s.NoTests = text[0] == 'N'
		s.Close(l)
	case text == "ERRORS":
		j.errors = true
		s.Sign(l)
	case j.errors && strings.HasPrefix(l.Text, "❯ "):
		j.flush(s)
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: text[len("❯ "):], Message: "failed"})
		j.open = true
	case j.open && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "─"):
		s.More(l)
		j.flush(s)
	case j.open:
		if i := strings.Index(text, "┃"); i < 0 || i > 12 { // of an excerpt
			j.text.Add(strings.TrimPrefix(strings.TrimPrefix(text, "⁃ "), "ℹ "))
		}
		s.More(l)
	default:
		return text == "PASSED" || text == "FAILED"
	}
	return true
}

func (j *japa) flush(s *read.Sink) {
	f, lines := j.block.end(s)
	if f == nil {
		return
	}
	for i, t := range lines { // the difference comes before the error
		if head, _, ok := strings.Cut(t, ": "); ok && strings.HasSuffix(head, "Error") {
			jserror.Explain(f, lines[:i])
			f.Message = "failed"
			jserror.Explain(f, lines[i:])
			f.Detail = ""
			return
		}
	}
	jserror.Explain(f, lines)
	f.Detail = ""
}

// avaTAP reads --tap. What the default reporter prints in the block of a test is the
// value of "details" there:
//
//	not ok 2 - totals
//	  ---
//	    name: AssertionError
//	    assertion: t.is()
//	    details:
//	      'Difference (- actual, + expected):': |-
//	        - 3
//	        + 4
//	    message: ''
func avaTAP(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	if rep == nil {
		return nil
	}
	byTitle := map[string]*result.Finding{}
	for i := range rep.Findings {
		byTitle[rep.Findings[i].ID] = &rep.Findings[i]
	}
	d := avaDetails{}
	for l := range in.LinesOf(tool.Stdout) {
		if d.line(l.Text) {
			d.fill(byTitle[d.title])
		}
	}
	return rep
}

// avaDetails collects the details of one test.
type avaDetails struct {
	title string
	open  bool // within the details
	text  jserror.Text
}

// line takes a line, and says whether the details of a test end with it.
func (d *avaDetails) line(line string) (ended bool) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if rest, ok := strings.CutPrefix(line, "not ok "); ok {
		_, d.title, _ = strings.Cut(rest, " - ")
		d.title, d.open, d.text = strings.Clone(d.title), false, jserror.Text{}
		return false
	}
	switch {
	case d.open && indent <= len("    ") && text != "":
		d.open = false
		return true
	case !d.open:
		d.open = line == "    details:"
	case indent == len("      ") && strings.HasPrefix(text, "'"): // a label of the default reporter's, and its value
		label, value, _ := strings.Cut(text[1:], "': ")
		d.text.Add(label)
		if value = strings.TrimSpace(value); value != "" && value[0] != '|' {
			d.text.Add(strings.Trim(value, "'"))
		}
	default:
		d.text.Add(line)
	}
	return false
}

// fill explains a finding as the default reporter's text does. The class of the
// assertion is not in that text.
func (d *avaDetails) fill(f *result.Finding) {
	if f == nil || len(d.text.Lines) == 0 {
		return
	}
	at := f.At
	f.Rule, f.Detail = "", strings.Join(read.Dedent(d.text.Lines), "\n")
	own := f.Message
	if strings.HasPrefix(own, "t.") || own == "not ok" {
		f.Message, own = "assertion failed", ""
	}
	avaExplain(f, d.text.Lines)
	if _, _, thrown := avaThrown(d.text.Lines); own != "" && thrown == "" {
		f.Message = own // the message that the test gave the assertion
	}
	f.At = cmp.Or(f.At, at)
}
