package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doctest", func(p *tool.Parser) {
	p.Is("doctest", result.Test, 1, "python -m doctest, Python 3.8 to 3.14; a run that passes prints nothing")
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"***Test Failed*** "}, Sniff: isDoctestEnd,
		Parse: read.Fresh(func(d *doctests) read.Text { return read.Text{Line: d.line, Closes: true} }),
	})
	p.Reads(read.PythonTrouble("doctest"))
})

// isDoctestEnd reports whether a line is the last of a run: "***Test Failed*** 2 failures."
func isDoctestEnd(line string) bool {
	n, rest, _ := strings.Cut(strings.TrimPrefix(line, "***Test Failed*** "), " ")
	return lex.IsDigits(n) && strings.HasPrefix(rest, "failure")
}

// doctests reads the failed examples, and the number of failures.
type doctests struct{ read.Examples }

func (d *doctests) line(s *read.Sink, l tool.Line) bool {
	took := d.Examples.Line(s, l)
	if isDoctestEnd(l.Text) {
		n := lex.LeadingNumber(strings.TrimPrefix(l.Text, "***Test Failed*** "))
		s.Fails(n)
		return s.Ended(l)
	}
	return took
}

var _ = Room.Add("xdoctest", func(p *tool.Parser) {
	p.Is("xdoctest", result.Test, 1, "xdoctest 1.1 to 1.3: its own runner")
	p.Reads(tool.Format{Name: "text", Starts: []string{"* FAILURE: ", "* SUCCESS: "}, Named: true, Parse: read.Fresh(func(x *xdoctest) read.Text {
		return read.Text{Line: x.line, End: x.tell, Closes: true}
	})})
})

// xdoctest reads a block for each example:
//
//	DOCTEST RESULT
//	* FAILURE: app.py::f:0
//	* REASON: GotWantException
//	  File "app.py", line 4, <- wrt source file
//	Expected:
//	    3
//	Got:
//	    2
type xdoctest struct {
	output *read.DocOutput
}

func (x *xdoctest) line(s *read.Sink, l tool.Line) bool {
	if id, ok := strings.CutPrefix(l.Text, "* SUCCESS: "); ok {
		return x.tested(s, l, id, read.Passed)
	}
	if id, ok := strings.CutPrefix(l.Text, "* SKIPPED: "); ok {
		return x.tested(s, l, id, read.Skipped)
	}
	if id, ok := strings.CutPrefix(l.Text, "* FAILURE: "); ok {
		x.tested(s, l, id, read.Failed)
		x.output = &read.DocOutput{}
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id})
	}
	if counted, ok := strings.CutSuffix(l.Text, " seconds ==="); ok && strings.HasPrefix(counted, "=== ") {
		s.Tested = s.Scores(read.Counts(counted), "failed: failed; passed: passed; skipped: skipped") > 0
		x.tell(s)
		return s.Close(l)
	}
	f := s.Last()
	if f == nil {
		return s.Signed && !s.Closed() // the failures are repeated after the tests
	}
	if l.Text == "====== </exec> ======" {
		x.tell(s)
		return s.Break()
	}
	if reason, ok := strings.CutPrefix(l.Text, "* REASON: "); ok {
		f.Rule, f.Message = reason, reason
	}
	if text, ok := strings.CutPrefix(l.Text, f.Rule+": "); ok && f.Rule != "" {
		f.Message = text
	}
	if at, ok := cutXdoctestFile(l.Text); ok {
		f.At = &at
	}
	if text := l.Text; text != "" && text[0] != ' ' && text != "Expected:" && text != "Got:" {
		x.output.Line("") // another heading
	} else {
		x.output.Line(text)
	}
	return s.More(l)
}

func (x *xdoctest) tested(s *read.Sink, l tool.Line, id string, outcome read.Outcome) bool {
	x.tell(s)
	s.Ran(tool.Test{ID: id, Outcome: outcome})
	s.Break()
	return s.Sign(l)
}

// tell ends the block of a failure: the expected and the actual value go to its finding.
func (x *xdoctest) tell(s *read.Sink) {
	if f := s.Last(); f != nil && x.output.Told() {
		x.output.Fill(f)
	}
	x.output = nil
}

// cutXdoctestFile reads `  File "app.py", line 4, <- wrt source file`.
func cutXdoctestFile(text string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(text, `  File "`)
	path, number, found := strings.Cut(rest, `", line `)
	return result.Location{Path: path, Line: lex.LeadingNumber(number)}, ok && found && strings.HasSuffix(number, "<- wrt source file")
}
