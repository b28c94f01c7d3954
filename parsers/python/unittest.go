package python

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// unittest, and the runners of Django and nose2 that are built on it, print a block for
// each failed test, then the counts.
//
//	======================================================================
//	FAIL: test_fill (tests.test_tank.TankTest.test_fill)
//	Fills up.
//	----------------------------------------------------------------------
//	Traceback (most recent call last):
//	  File "/src/tests/test_tank.py", line 7, in test_fill
//	    self.assertEqual(fill(1, 2), 3)
//	AssertionError: 4 != 3
//
//	----------------------------------------------------------------------
//	Ran 10 tests in 0.004s
//
//	FAILED (failures=6, errors=2, skipped=1)

var unittestText = tool.Format{
	Name:   "text",
	Starts: []string{"Ran … test", "FAIL: …(", "ERROR: …(", "UNEXPECTED SUCCESS: …("},
	Sniff:  func(line string) bool { _, ok := cutUnittestHead(line); return ok || isUnittestEnd(line) },
	Prints: read.NoMarks(".FEsxu"),
	Parse:  parseUnittest,
}

var _ = Room.Add("unittest", func(p *tool.Parser) {
	p.Is("unittest", result.Test, 1, "unittest of Python 3.8 to 3.14")
	p.TestOf = withoutParams
	p.Filter = tool.Filter{Again: unittestAgain}
	p.JUnit = &tool.Dialect{Suite: isXMLRunner, ID: xmlRunnerID, Expected: "XFAIL"}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 5: result.MeansNoTests}
	p.Files = []tool.Files{{Flags: []tool.FileFlag{{Flag: "-o", Of: []string{"xmlrunner"}}}}}
	p.Reads(unittestText)
	p.Reads(unendedCases())
	p.Reads(tool.Format{Name: "unended", Starts: []string{"Unfortunately, tracebacks cannot be pickled", "Unfortunately, the exception it raised cannot be pickled"}, Parse: read.Lines((*unpicklable).line)})
	p.Reads(unittestTrouble())
}, tool.WritesFiles)

// unittestTrouble reads errors of unittest itself. If the output has tests, it returns nil: a
// traceback is then a test's.
func unittestTrouble() tool.Format {
	f := read.PythonTrouble("unittest")
	parse := f.Parse
	f.Parse = func(in *tool.Input) *tool.Report {
		rep := parse(in)
		if rep != nil && parseUnittest(in) != nil {
			return nil
		}
		return rep
	}
	return f
}

// nose2 prints what unittest prints, so unittest's reader serves it too.
var _ = Room.Add("nose2", func(p *tool.Parser) {
	p.Is("nose2", result.Test, 1, "nose2 0.9 and later")
	p.TestOf = withoutParams
	p.JUnit = &tool.Dialect{Expected: "expected test failure"}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 5: result.MeansNoTests}
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report { return parseCases(in, caseRows{blocks: true}) }})
	p.Reads(tool.Format{Name: "unended", Parse: unendedCases().Parse})
	p.Reads(read.PythonUsage("nose2"))
})

func parseUnittest(in *tool.Input) *tool.Report { return parseCases(in, caseRows{}) }

func parseCases(in *tool.Input, rows caseRows) *tool.Report {
	u := &unittests{rows: rows, bad: map[string]bool{}, ran: -1, loose: -1}
	rep := read.Text{Line: u.line, End: u.end, Closes: true}.Parse(in)
	if rep != nil && u.unended != "" {
		rep.Complete, rep.Doubt = false, "the tests are counted while "+u.unended+" runs"
	}
	return rep
}

type unittests struct {
	caseBlock
	rows    caseRows
	rowsOn  tool.Stream // the stream with the rows; 0 before the first row
	stream  tool.Stream // the stream with the block
	ran     int
	listed  []surprise      // unexpected successes in the rows of -v
	named   int             // number of unexpected successes with a block
	shown   int             // number of blocks since the last verdict
	bad     map[string]bool // ids of tests that did not pass; a subtest counts as its test
	ruled   bool            // a "====" was read
	under   tool.Stream     // the stream of the previous line if it was "===="; else 0
	unended string          // a test without a verdict in a run that says OK
	loose   int64           // offset of the first head without "====" above, before any "===="; -1 if there was no such head
}

// surprise is a row "test_x (tests.T.test_x) ... unexpected success".
type surprise struct {
	at tool.Line
	f  result.Finding
}

// ruleWidth is the width of the lines between blocks.
const ruleWidth = 70

func isRule(line string, of byte) bool {
	return len(line) == ruleWidth && line[0] == of && strings.Trim(line, string(of)) == ""
}

func isUnittestEnd(line string) bool {
	n, rest, ok := strings.Cut(strings.TrimPrefix(line, "Ran "), " ")
	return ok && !strings.Contains(rest, " seconds") && strings.HasPrefix(line, "Ran ") && lex.IsDigits(n) && (strings.HasPrefix(rest, "test in ") || strings.HasPrefix(rest, "tests in "))
}

func (u *unittests) line(s *read.Sink, l tool.Line) bool {
	under := u.under == l.Stream
	if u.under = 0; isRule(l.Text, '=') {
		u.under = l.Stream
		u.rule(s)
	}
	f, ok := cutUnittestHead(l.Text)
	if !ok && under {
		f, ok = cutDottedHead(l.Text)
	}
	if ok && (under || !u.ruled) && (s.Last() == nil || l.Stream == u.stream) {
		u.endBlock(s)
		if !under && u.loose < 0 {
			u.loose = l.Start
		}
		u.trace, u.stream = read.Traceback{}, l.Stream
		s.Find(l, f)
		u.note(f)
		return true
	}
	if test, ok := strings.CutSuffix(l.Text, " ... unexpected success"); ok && len(u.listed) < s.Most() {
		if f, ok := cutUnittestHead("UNEXPECTED SUCCESS: " + test); ok {
			u.listed = append(u.listed, surprise{l, f})
		}
	}
	switch {
	case isUnittestEnd(l.Text):
		if u.rowsOn == tool.Stdout && l.Stream != u.rowsOn && !s.Tested { // unittest's own lines are on stderr
			s.Tests, u.listed, u.rowsOn, u.rows = nil, nil, 0, caseRows{blocks: u.rows.blocks}
		}
		u.endBlock(s)
		u.rows.end(s)
		s.Sign(l)
		s.Break()
		u.ran = max(u.ran, 0) + lex.LeadingNumber(strings.TrimPrefix(l.Text, "Ran "))
		return true
	case u.ran >= 0 && isVerdict(l.Text):
		u.tally(s, l)
		return true
	case s.Last() == nil || l.Stream != u.stream:
		rule := isRule(l.Text, '=') || isRule(l.Text, '-')
		if rule {
			u.rows.end(s)
		}
		return rule || u.row(s, l)
	case isRule(l.Text, '='):
		u.endBlock(s)
		return s.Break()
	}
	u.take(s, l)
	return l.Text != ""
}

// row takes a line outside of blocks. All rows are on one stream. If stderr has rows, those on stdout are dropped: a
// test printed them.
func (u *unittests) row(s *read.Sink, l tool.Line) bool {
	if u.rowsOn == tool.Stdout && l.Stream != u.rowsOn && !s.Tested {
		if _, _, head := cutCaseRow(l.Text); head {
			s.Tests, u.listed, u.rowsOn, u.rows = nil, nil, l.Stream, caseRows{blocks: u.rows.blocks}
		}
	}
	if u.rowsOn != 0 && l.Stream != u.rowsOn || !u.rows.line(s, l.Text) {
		return false
	}
	u.rowsOn = l.Stream
	return true
}

// rule takes the "====" that begins a block. At the first, it drops heads above that have nothing below them, which a
// test printed, and keeps a block whose own "====" is cut off from the output.
func (u *unittests) rule(s *read.Sink) {
	if u.ruled || u.loose < 0 {
		u.ruled = true
		return
	}
	u.ruled = true
	u.endBlock(s)
	s.Break()
	s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool {
		printed := f.RawSpan != nil && f.RawSpan.Start >= u.loose && f.At == nil && (f.Message == "" || f.Message == "failed")
		if printed {
			delete(u.bad, strings.TrimSuffix(f.ID, " "+f.Params))
			u.shown--
		}
		return printed
	})
}

// note records the test of a block as not passed. The setup of a class or module is not a test.
func (u *unittests) note(f result.Finding) {
	if u.shown++; f.RawSeverity == "UNEXPECTED SUCCESS" {
		u.named++
	}
	if !strings.HasPrefix(f.Name, "setUp") && !strings.HasPrefix(f.Name, "tearDown") {
		u.bad[strings.TrimSuffix(f.ID, " "+f.Params)] = true
	}
}

// isVerdict matches "OK", "OK (skipped=1)", "FAILED (failures=2)" and "NO TESTS RAN".
func isVerdict(line string) bool {
	word, _, _ := strings.Cut(line, " (")
	return word == "OK" || word == "FAILED" || word == "NO TESTS RAN"
}

const unittestCounts = "failed: failures; error: errors; skipped: skipped; xfailed: expected failures; xpassed: unexpected successes"

// tally takes the verdict and its counts.
func (u *unittests) tally(s *read.Sink, l tool.Line) {
	_, list, _ := strings.Cut(strings.TrimSuffix(l.Text, ")"), " (")
	n := tallyWords(s, list, unittestCounts)
	claimed, skipped := n["failures"]+n["errors"]+n["unexpected successes"], n["skipped"]
	off := len(u.bad) + skipped + n["expected failures"]
	off += max(claimed-u.shown, 0) // counted failures whose blocks were not read
	u.surprises(s, l)
	s.Count("passed", u.rows.passed(u.ran, off, skipped))
	if claimed == 0 && len(u.bad) == 0 && !u.rows.blocks {
		u.unended = cmp.Or(u.unended, u.rows.untold)
	}
	clear(u.rows.told)
	s.Tested = s.Tested || u.ran > 0
	s.NoTests = !s.Tested && claimed == 0
	u.ran, u.shown = -1, 0
	clear(u.bad)
	s.Close(l)
}

// surprises reports the unexpected successes without a block: Python before 3.11
// and nose2 count them, and name them only with -v.
func (u *unittests) surprises(s *read.Sink, l tool.Line) {
	n := s.Counts["xpassed"] - u.named
	for _, row := range u.listed {
		if n > 0 && !u.bad[row.f.ID] {
			s.Find(row.at, row.f)
			n--
		}
	}
	u.listed = nil
	tellUnnamed(s, l, n)
	u.named = s.Counts["xpassed"]
}

func (u *unittests) end(s *read.Sink) { u.endBlock(s) }
