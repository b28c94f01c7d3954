package jstest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tape", func(p *tool.Parser) {
	p.Is("tape", result.Test, 1, "tape 4 and 5, tap-spec 5")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "tap", Starts: []string{"at Test.assert [as _assert] (", "# fail  "}, Named: true, Parse: parseTape})
	p.Reads(tool.Format{Name: "spec", Starts: []string{"total:     "}, Parse: read.Fresh(newTapSpec)})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ")})
})

// parseTape reads the protocol, and the uncaught error that ended the run in the middle of a test.
func parseTape(in *tool.Input) *tool.Report {
	rep := tap.Parse(in)
	closedBy(in, rep, "# ok", "# fail ")
	nameTape(in, rep)
	return endedBy(nodeCrash(in), rep)
}

// endedBy adds the error that ended the process, if any, to the report of the tests until then.
func endedBy(died, rep *tool.Report) *tool.Report {
	if died == nil || rep == nil {
		return cmp.Or(rep, died)
	}
	for _, f := range died.Findings {
		rep.Add(f)
	}
	rep.Meaning, rep.Complete = result.MeansCrashed, true
	for _, c := range died.Covered {
		rep.CoverSpan(c.Start, c.End)
	}
	return rep
}

// nameTape gives each failed assertion the name of its test, which tape prints as a comment above it: "# totals".
func nameTape(in *tool.Input, rep *tool.Report) {
	if rep == nil {
		return
	}
	test, tests := "", map[int64]string{}
	for l := range in.LinesOf(tool.Stdout) {
		if name, ok := strings.CutPrefix(l.Text, "# "); ok {
			test = strings.Clone(name)
		} else if strings.HasPrefix(l.Text, "not ok ") && test != "" && len(tests) < rep.Most() {
			tests[l.Start] = test
		}
	}
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if f.RawSpan != nil && tests[f.RawSpan.Start] != "" && !strings.HasPrefix(f.ID, "test exited without ending: ") { // tape prints it at the end, below the name of the last test that began
			f.Suite, f.Name = []string{tests[f.RawSpan.Start]}, f.ID
			f.ID = f.Suite[0] + " › " + f.Name
		}
	}
}

// tapSpec reads tap-spec's form of the protocol: the tests, their assertions, and the details of each failed
// assertion. At the end, the failed assertions are named again.
//
//	totals
//
//	  ✔ adds
//
//	  ✖ should be equal
//	  ------------------
//	    operator: equal
//	    expected: 2
//	    at: Test.<anonymous> (/src/test.js:5:8)
type tapSpec struct {
	test string
	over bool // the failures are being repeated
}

func newTapSpec(t *tapSpec) read.Text {
	return read.Blocks{
		Head: func(text string) (string, bool) { return strings.CutPrefix(text, "    ✖ ") },
		Ends: func(text string) bool { return lex.LeadingBlanks(text) < 6 && strings.Trim(text, " -") != "" },
		Take: t.failure, Other: t.line, Closes: true,
	}.Text()
}

func (t *tapSpec) failure(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: b.Title, ID: b.Title, Message: "not ok"}
	if t.test != "" {
		f.Suite, f.ID = []string{t.test}, t.test+" › "+b.Title
	}
	tap.Explain(&f, b.Body)
	s.FindBlock(b, f)
}

// line takes the name of a test, and the counts: "  failing:   2".
func (t *tapSpec) line(s *read.Sink, l tool.Line) bool {
	text, indent := strings.TrimSpace(l.Text), lex.LeadingBlanks(l.Text)
	name, count, _ := strings.Cut(text, ":")
	n := strings.TrimSpace(count)
	switch {
	case indent != 2:
		return t.over || strings.HasPrefix(text, "✔ ")
	case name == "total" && lex.IsDigits(n):
		s.Tested = true
		return s.Sign(l)
	case name == "passing" && lex.IsDigits(n) && s.Tested:
		s.Count("passed", lex.Atoi(n))
	case name == "failing" && lex.IsDigits(n) && s.Tested:
		s.Fails(lex.Atoi(n))
	case name == "duration" && s.Tested:
		return s.Close(l)
	case name == "Failed Tests":
		t.over = true
	default:
		t.test = strings.Clone(text)
	}
	return true
}

// byFile reads the reporter @jsumners/line-reporter: a row for each file, then the failures of each file with their
// places, and the counts. It does not print the names of tests.
//
//	failed: /tmp/test/close.test.js (854.1 ms)
//
//	Failed tests:
//
//	/tmp/test/close.test.js
//		line: 8, column: 1
//			not closed
type byFile struct{ failing bool }

func (b *byFile) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, count, counted := strings.Cut(text, ": ")
	line, column, placed := strings.Cut(strings.TrimPrefix(text, "line: "), ", column: ")
	switch f := s.Last(); {
	case l.Text == "Failed tests:":
		b.failing = true
		return s.Sign(l)
	case lex.IsOneOf(word, "passed failed") && strings.HasSuffix(text, " ms)"):
		return s.Sign(l)
	case counted && lex.IsOneOf(word, "Passed Failed Total") && lex.IsDigits(count):
		b.failing = false
		s.Break()
		if word == "Total" {
			return s.Ended(l)
		}
		s.Score(strings.ToLower(word), lex.Atoi(count))
	case !b.failing:
		return false
	case placed && lex.IsDigits(line) && lex.IsDigits(column) && s.Path != "":
		at := &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed", At: at})
	case strings.HasPrefix(l.Text, "\t\t") && f != nil:
		if f.Message == "failed" {
			f.Message = text
		}
		return s.More(l)
	case text != "" && l.Text == text && place.LastColons(text) == nil:
		s.Break()
		s.Path = strings.Clone(text)
	}
	return true
}
