package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// stestr runs tests of unittest in several workers, and prints each test when it ends:
//
//	{1} tests.test_x.Cart.test_skips ... SKIPPED: no device
//	{0} tests.test_x.Cart.test_fails [0.000069s] ... FAILED
//
//	Captured traceback:
//	~~~~~~~~~~~~~~~~~~~
//	    Traceback (most recent call last):
//
// A list at the end repeats the failures, and the counts follow the list. Its workers write
// subunit streams, which stestr keeps, and prints with --subunit.
var _ = Room.Add("stestr ostestr subunit.run", func(p *tool.Parser) {
	p.Is("stestr", result.Test, 1, "stestr 2 to 4 and subunit-trace: text; subunit version 2")
	p.Reads(tool.Format{Name: "text", Starts: []string{"{0} … ... ", "{1} … ... ", "{2} … ... ", "{3} … ... ", "Ran: … tests in "}, Sniff: isStestrLine, Parse: read.Fresh(func(r *stestr) read.Text { return read.Text{Line: r.line, End: r.end, Closes: true} })})
	p.Reads(tool.Format{Name: "subunit", Starts: []string{subunitStart}, Sniff: isSubunit, Named: true, Parse: parseSubunit})
	p.Reads(read.PythonUsage("stestr"))
})

type stestr struct {
	caseBlock
	row    stestrRow // the failed test whose block is read
	quiet  []string  // tests that failed without a reason
	totals bool      // the counts have begun
	again  bool      // the list at the end repeats the failures
	source bool      // the line of a frame was read, and its source follows
	plain  bool      // the traceback is not indented: a subtest's
}

type stestrRow struct {
	tool.Test
	told bool // a traceback followed
}

func isStestrLine(line string) bool {
	_, ok := cutStestrRow(line)
	return ok || isStestrTotal(line)
}

// isStestrTotal reports whether a line has the number of tests: "Ran: 11 tests in 0.1092 sec."
func isStestrTotal(line string) bool {
	return strings.HasPrefix(line, "Ran: ") && strings.Contains(line, " tests in ") && strings.HasSuffix(line, " sec.")
}

// cutStestrRow reads the row of a test: "{0} tests.test_x.Cart.test_fails [0.000069s] ... FAILED".
func cutStestrRow(line string) (t tool.Test, ok bool) {
	worker, rest, ok := strings.Cut(line, "} ")
	if !ok || len(worker) < 2 || worker[0] != '{' || !lex.IsDigits(worker[1:]) {
		return t, false
	}
	i := strings.LastIndex(rest, " ... ")
	if j := strings.Index(rest, " ... SKIPPED"); j > 0 {
		i = j // the reason may be anything
	}
	if i < 0 {
		return t, false
	}
	name, word := rest[:i], rest[i+len(" ... "):]
	word, _, _ = strings.Cut(word, ":")
	t.Outcome = read.Outcome(lex.Means(word, "passed: ok; failed: FAILED; skipped: SKIPPED; error: inprogress")) // the worker ended while the test ran
	if j := strings.LastIndex(name, " ["); j > 0 && strings.HasSuffix(name, "]") {                               // "[]" if the test did not end
		t.DurationMS, _ = lex.Millis(name[j+2 : len(name)-1])
		name = name[:j]
	}
	t.ID = name
	return t, name != "" && t.Outcome != ""
}

func (r *stestr) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSuffix(l.Text, " ")
	t, ok := cutStestrRow(text)
	switch {
	case ok && !r.again:
		r.settle(s)
		s.Sign(l)
		if t.Outcome != tool.Failed {
			s.Ran(t)
		}
		if t.Outcome == tool.Errored {
			f := badCase("ERROR", t.ID)
			f.Message = subunitEnded
			s.Count("error", 1)
			s.Claim(1)
			s.Find(l, f)
			s.Break()
		}
		if t.Outcome != tool.Failed {
			return true
		}
		r.row = stestrRow{Test: t}
		s.Find(l, badCase("FAILED", t.ID))
		r.trace, r.source, r.plain = read.Traceback{}, false, false
	case isStestrTotal(text):
		r.settle(s)
		r.totals = true
		s.Sign(l)
		n := lex.LeadingNumber(strings.TrimPrefix(text, "Ran: "))
		s.Tested, s.NoTests = n > 0, n == 0
	case r.totals && strings.HasPrefix(text, " - "):
		return r.count(s, text)
	case r.totals && strings.HasPrefix(text, "Sum of execute time for each test: ") && strings.HasSuffix(text, " sec."):
		s.Close(l)
	case strings.HasPrefix(text, "Failed ") && strings.HasSuffix(text, " tests - output below:"):
		r.settle(s)
		r.again = true
	case r.again || r.row.ID == "":
		return r.again && !r.totals
	case strings.HasPrefix(text, "Captured traceback"):
		r.row.told = true
	case s.Last() != nil:
		r.traceback(s, l)
	}
	return true
}

// traceback takes a line of a traceback, which stestr indents and separates with empty lines. The
// source line below a frame has lost its own indent, which is restored here.
func (r *stestr) traceback(s *read.Sink, l tool.Line) {
	if r.plain = r.plain || strings.HasPrefix(l.Text, `  File "`); r.plain {
		r.take(s, l)
		return
	}
	l.Text = strings.TrimPrefix(l.Text, "    ")
	frame := strings.HasPrefix(l.Text, `  File "`)
	switch {
	case l.Text == "":
		r.source = false
		return
	case frame:
		r.source = true
	case r.source:
		l.Text = "    " + strings.TrimLeft(l.Text, " ")
	}
	r.take(s, l)
}

// settle ends the block of a failed test and reports the test, or keeps it for end if it has no reason.
func (r *stestr) settle(s *read.Sink) {
	if r.row.ID == "" {
		return
	}
	r.endBlock(s)
	s.Break()
	if r.row.told {
		s.Ran(r.row.Test)
	} else {
		r.quiet = append(r.quiet, r.row.ID)
	}
	r.row = stestrRow{}
}

// count reads a line of the counts: " - Unexpected Success: 1".
func (r *stestr) count(s *read.Sink, text string) bool {
	name, n, _ := strings.Cut(strings.TrimPrefix(text, " - "), ": ")
	key := map[string]string{"Passed": "passed", "Skipped": "skipped", "Expected Fail": "xfailed", "Unexpected Success": "xpassed", "Failed": "failed"}[name]
	if key == "" || !lex.IsDigits(n) {
		return false
	}
	s.Score(key, lex.LeadingNumber(n))
	return true
}

// end reports the tests that are called failed without a reason. If their number is that of the
// unexpected successes in the counts, they are these.
func (r *stestr) end(s *read.Sink) {
	r.settle(s)
	if s.Counts["xfailed"] > 0 {
		s.Unread("the row of a test that failed as expected says ok")
	}
	came := tool.Failed
	if len(r.quiet) == s.Counts["xpassed"] {
		came = tool.XPassed
	}
	for _, id := range r.quiet {
		s.Ran(tool.Test{ID: id, Outcome: came})
		for i := range s.Findings {
			if f := &s.Findings[i]; f.ID == id && came == tool.XPassed {
				f.Message = subunitXPassed
			}
		}
	}
}
