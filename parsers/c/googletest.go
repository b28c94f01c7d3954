package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("googletest", result.Test, 2, "GoogleTest 1.8 to 1.17: the program's own text, in full and brief; its JSON")
	p.Filter = tool.Filter{Flag: "--gtest_filter"}
	p.Matches = func([]string) bool { return false } // a program of any name
	p.Files = []tool.Files{{Argument: googleTestReport, AsFlag: map[string]string{"GTEST_OUTPUT": googleTestOutput}}}
	p.JUnit = &tool.Dialect{Suites: []string{"AllTests"}}
	p.Reads(tool.Format{Name: "text", Starts: []string{"[==========] ", "[----------] ", "[ RUN      ] ", "[  FAILED  ] ", "Running main() from …_main.cc"}, Parse: parseGoogleTest})
	p.Reads(tool.Format{Name: "json", Starts: []string{`"name": "AllTests",`}, Parse: googleTestJSON})
}, tool.WritesFiles)

// googleTest reads the output of a test program. The text of a failure is between the line that starts the test and
// the line that ends it; --gtest_brief=1 leaves out the first of these.
type googleTest struct {
	in *tool.Input
	googleTestRun
	outer  []googleTestRun // tests in which another program began, or during which the program crashed
	brief  bool
	ran    int  // number of tests, by the closing line
	listed bool // the summary lists tests again
	wanted int  // number of tests that will run; 0 if unknown
	other  bool // the output is cmocka's or busted's, which have the same marks

	suite   string        // the suite whose tests run; not in the brief form
	outside []googleSetUp // failures outside of tests
	within  bool          // the last of outside continues
}

// googleTestRun is a running test. It may print a line like the one that ends it: the last before the next test counts.
type googleTestRun struct {
	test        string
	start, last tool.Line
	text        []string
	came        read.Outcome // the outcome, by the line that ends the test; "" before
	said        string       // the text of that line
	upTo        int          // number of lines of text above that line
}

func parseGoogleTest(in *tool.Input) *tool.Report {
	g := &googleTest{in: in, brief: true}
	rep := read.Text{Line: g.line, End: g.end, Closes: true}.Parse(in)
	if g.other {
		return nil
	}
	return rep
}

func (g *googleTest) line(s *read.Sink, l tool.Line) bool {
	mark, rest, ok := cutMark(l.Text)
	if !ok && g.test != "" {
		mark, rest, ok = g.cutGlued(l.Text)
	}
	if !ok || mark == "DEATH" { // output of a death test's child process
		if isGoogleTestFrame(l.Text) && (!g.running() || strings.HasPrefix(l.Text, "Running main() from ")) {
			return s.Sign(l)
		}
		if g.test == "" && !g.brief {
			return !ok && g.setUp(l.Text, l)
		}
		if g.brief && g.test == "" {
			g.unnamed(l)
		}
		if len(g.text) < 200 {
			g.text = append(g.text, strings.Clone(l.Text))
		}
		return g.test != ""
	}
	g.within = false
	switch mark {
	case "==========":
		g.total(s, l, rest)
	case "----------":
		if g.came != "" || rest == "Global test environment tear-down" {
			g.settle(s)
		}
		if !g.running() {
			g.suite = googleSuite(rest)
		}
	case "RUN":
		g.settle(s)
		g.brief, g.test, g.start = false, rest, l
		s.Sign(l)
	case "OK", "SKIPPED":
		if g.brief && mark == "OK" && !g.in.Headless {
			return false // no test began, or the brief form leaves out such lines: a test printed it
		}
		g.ended(s, l, map[string]read.Outcome{"OK": tool.Passed, "SKIPPED": tool.Skipped}[mark], rest)
	case "DISABLED": // GoogleTest counts a disabled test here, and not among the tests that ran
		if !g.running() {
			s.Count("skipped", 1)
			s.Ran(tool.Test{ID: rest, Outcome: tool.Skipped})
		}
	case "PASSED":
		if g.running() || g.brief && !s.Tested && !g.in.Headless {
			break // a test printed it
		}
		s.Count("passed", lex.LeadingNumber(rest))
		if s.Tested && (strings.HasSuffix(rest, " tests.") || strings.HasSuffix(rest, " test.")) {
			s.Close(l)
		}
	case "FAILED":
		g.failed(s, l, rest)
	}
	if mark == "SKIPPED" && !g.running() && (strings.Contains(rest, ", listed below") || strings.HasSuffix(rest, " test.") || strings.HasSuffix(rest, " tests.")) {
		s.Count("skipped", lex.LeadingNumber(rest))
		g.listed = true
	}
	return true
}

// running reports whether a test has begun and not ended yet.
func (g *googleTest) running() bool { return g.test != "" && g.came == "" }

// ended takes the line that ends a test.
func (g *googleTest) ended(s *read.Sink, l tool.Line, came read.Outcome, rest string) {
	name := testName(rest)
	if n := len(g.outer); g.test != name && n > 0 && g.outer[n-1].test == name {
		g.settle(s)
		g.googleTestRun, g.outer = g.outer[n-1], g.outer[:n-1]
		s.Unread("a test ran another program of GoogleTest, whose tests stand among the others")
	}
	switch {
	case g.test == name:
		g.came, g.said, g.last, g.upTo = came, rest, l, len(g.text)
	case came != tool.Failed && g.brief && !g.listed && strings.Contains(name, ".") && !strings.Contains(name, " "):
		s.Ran(googleTestCase(name, rest, came))
		g.text = nil
	}
}

// settle records the test that ended, once no other line that ends it can follow.
func (g *googleTest) settle(s *read.Sink) {
	if g.came != "" {
		s.Ran(googleTestCase(g.test, g.said, g.came))
	}
	if after := g.text[g.upTo:]; g.came != "" {
		g.text = g.text[:g.upTo]
		if g.came == tool.Failed {
			g.find(s, g.last, g.test, g.said)
		}
		g.within = false
		for _, line := range after { // the suite's tear-down
			g.setUp(line, g.last)
		}
	}
	g.googleTestRun = googleTestRun{}
}

// cutGlued reads the mark that ends a test behind output of the test that did not end its line.
func (g *googleTest) cutGlued(line string) (mark, rest string, ok bool) {
	for _, end := range [...]string{"[       OK ] ", "[  FAILED  ] ", "[  SKIPPED ] "} {
		if i := strings.LastIndex(line, end); i > 0 && testName(line[i+len(end):]) == g.test && strings.HasSuffix(line, " ms)") {
			g.text = append(g.text, line[:i])
			return cutMark(line[i:])
		}
	}
	return "", "", false
}

// isGoogleTestFrame reports whether a line belongs to the report but has no information of its own, such as
// "Running main() from gtest_main.cc" and " 9 FAILED TESTS".
func isGoogleTestFrame(line string) bool {
	number, total := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(line, "S"), " SUITE"), " FAILED TEST")
	disabled := strings.HasPrefix(line, "  YOU HAVE ") && strings.Contains(line, " DISABLED TEST")
	return lex.HasAnyPrefix(line, "Running main() from ", "Note: Google Test filter = ") || disabled || total && lex.IsDigits(strings.TrimSpace(number))
}

// cutMark splits the mark, "[  FAILED  ] ", from a line.
func cutMark(line string) (mark, rest string, ok bool) {
	if len(line) < 12 || line[0] != '[' || line[11] != ']' {
		return "", "", false
	}
	return strings.TrimSpace(line[1:11]), strings.TrimSpace(line[12:]), true
}

// testName removes parameters and time: "P.Even/0" for "P.Even/0, where GetParam() = 1 (0 ms)".
func testName(rest string) string {
	name, _, _ := strings.Cut(rest, ", where ")
	name, _, _ = strings.Cut(name, " (")
	return name
}

func (g *googleTest) failed(s *read.Sink, l tool.Line, rest string) {
	name := testName(rest)
	switch {
	case strings.Contains(rest, "listed below") && !g.running():
		s.Claimed = max(s.Claimed, lex.LeadingNumber(rest)) // printed for each repetition of the tests
		s.Count("failed", lex.LeadingNumber(rest))
		g.listed = true
		s.Sign(l)
		return
	case g.listed:
		g.again(s, l, name)
		return
	case g.test == name && name != "", len(g.outer) > 0 && g.outer[len(g.outer)-1].test == name:
		g.ended(s, l, tool.Failed, rest)
		return
	case g.test != "", g.test == "" && !strings.Contains(rest, ": ") && !strings.HasSuffix(rest, " ms)") && !g.brief:
		g.text = append(g.text, l.Text) // the test itself printed it
		return
	case g.brief && !strings.Contains(strings.Join(g.text, "\n"), ": Failure") && !strings.HasSuffix(rest, " ms)"):
		return
	}
	s.Ran(googleTestCase(name, rest, tool.Failed))
	g.find(s, l, name, rest)
}

func (g *googleTest) find(s *read.Sink, l tool.Line, name, rest string) {
	_, params, _ := strings.Cut(rest, ", where ")
	if before, _, timed := lex.CutLast(params, " ("); timed && strings.HasSuffix(params, " ms)") {
		params = before
	}
	if g.brief {
		g.apart(l)
	}
	text := fromFailure(g.text)
	g.text = nil
	if slices.ContainsFunc(s.Findings, func(known result.Finding) bool { return known.ID == name }) { // known from an earlier run
		return
	}
	s.Find(l, googleTestFinding(g.in, name, params, text))
	if f := s.Last(); f != nil && g.test != "" {
		f.RawSpan.Start = g.start.Start
	}
	s.Break()
}

// total reads "Running 14 tests from 9 test suites." and "14 tests from 9 test suites ran. (10 ms total)".
func (g *googleTest) total(s *read.Sink, l tool.Line, rest string) {
	if strings.Contains(rest, "test(s)") || rest == "Running tests from scanned files." {
		g.other = true
	}
	if !strings.Contains(rest, " ran.") {
		if g.running() {
			g.outer = append(g.outer, g.googleTestRun)
			g.googleTestRun = googleTestRun{}
		}
		g.settle(s)
		g.brief, g.listed, g.wanted = false, false, lex.LeadingNumber(strings.TrimPrefix(rest, "Running "))
		s.Sign(l)
		return
	}
	if g.running() || g.wanted > 0 && lex.LeadingNumber(rest) != g.wanted {
		return // a test printed it
	}
	if g.brief {
		g.leave(l)
	}
	g.settle(s)
	s.Tested, g.ran = true, lex.LeadingNumber(rest)
	s.NoTests = strings.HasPrefix(rest, "0 tests")
	s.Sign(l)
}

// end adds findings for the tests that began and did not end: the program crashed during them.
func (g *googleTest) end(s *read.Sink) {
	crashed := g.outer
	if g.brief && !s.Tested {
		g.unended(s)
	}
	if g.running() && !s.Closed() {
		crashed = append(crashed, g.googleTestRun)
	} else {
		g.settle(s)
	}
	// A program that ended early prints no counts, nor does --gtest_brief=1.
	if all := len(s.Findings) + s.Dropped + len(crashed); all > s.Counts["failed"] {
		s.Counts["failed"] = all
	}
	if n := s.Counts; g.in.Headless && g.ran > n["passed"]+n["failed"]+n["skipped"] {
		s.Tested = false // the rows of other tests were cut off
	}
	g.tellOutside(s)
	for _, run := range crashed {
		s.Tested = true
		s.Ran(tool.Test{ID: run.test, Outcome: tool.Errored})
		f := result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: run.test}
		junit.Explain(g.in, &f, run.text, "", "")
		if len(run.text) == 0 {
			f.Message = "the program ended while this test ran"
		}
		s.Find(run.start, f)
	}
}
