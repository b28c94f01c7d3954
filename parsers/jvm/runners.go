package jvm

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("org.testng.TestNG testng.jar", func(p *tool.Parser) {
	p.Is("testng", result.Test, 1, "TestNG 6 and 7, run by its own main class: the counts, and with -verbose 2 every test")
	p.Filter = tool.Filter{Flag: "-methods", Spell: testNGMethod}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Total tests run: …Failures: "}, Named: true, Parse: parseTestNG})
})

// testNGMethod returns the value of -methods for a test: the class and the method, without parameters.
func testNGMethod(f *result.Finding) string {
	name, _, _ := strings.Cut(f.ID, "(")
	return name
}

// parseTestNG reads the verdicts, each followed by the exception up to a blank line, and the counts of a suite:
//
//	PASSED: com.acme.CartTest.adds("1 + 1", 2, 2)
//	FAILED: com.acme.CartTest.totals
//	java.lang.AssertionError: expected [4] but found [3]
//		at com.acme.CartTest.totals(CartTest.java:7)
//
//	===============================================
//	Command line suite
//	Total tests run: 7, Passes: 2, Failures: 3, Skips: 2
//	===============================================
func parseTestNG(in *tool.Input) *tool.Report {
	return read.Blocks{
		Head: func(text string) (string, bool) {
			word, _ := testNGVerdict(text)
			return text, word != "" && word != tool.Passed
		},
		Ends: func(text string) bool {
			word, _ := testNGVerdict(text)
			return text == "" || word != "" || strings.HasPrefix(text, "Total tests run: ")
		},
		Take: takeTestNG,
		Test: func(text string) (tool.Test, bool) {
			word, name := testNGVerdict(text)
			return tool.Test{ID: name, Outcome: word, Times: 1}, word == tool.Passed
		},
		Other:  testNGCounts,
		Closes: true,
	}.Parse(in)
}

// testNGVerdict reads the word of a verdict. A configuration is a method that sets up or cleans up, not a test.
func testNGVerdict(text string) (came read.Outcome, name string) {
	word, name, _ := strings.Cut(text, ": ")
	if name != "" {
		came = read.Outcome(lex.Means(word, "passed: PASSED, SUCCESSFUL_PERCENTAGE_FAILURE; failed: FAILED; skipped: SKIPPED; rerun: RETRIED; error: FAILED CONFIGURATION"))
	}
	return came, name
}

// takeTestNG takes a test that did not pass. Why one was skipped the failure of another, or of its set-up, tells.
func takeTestNG(s *read.Sink, b *read.Block) {
	came, name := testNGVerdict(b.Title)
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name}
	if came == tool.Errored { // "@BeforeMethod com.acme.CartTest.open"
		f.Severity = result.SevError
		s.NoTest(name)
		s.Unread("what sets up or cleans up for tests failed")
	} else if s.Ran(tool.Test{ID: name, Outcome: came, Times: 1}); came != tool.Failed {
		return
	}
	if len(b.Body) > 0 {
		junit.Explain(s.In, &f, b.Body, classOf(name), "")
	}
	s.FindBlock(b, f)
}

// testNGCounts reads "Total tests run: 7, Passes: 2, Failures: 3, Skips: 2". Before version 7 the line has no passes.
func testNGCounts(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Total tests run: ") {
		n := read.CountsBehind(l.Text)
		s.NoTests = n["total tests run"] == 0
		return s.Sum(l, n["total tests run"], n["failures"], 0, n["skips"])
	}
	return strings.HasPrefix(l.Text, "Configuration Failures: ") && s.Tested && s.Close(l)
}

var _ = Room.Add("org.junit.runner.JUnitCore junit.textui.TestRunner", func(p *tool.Parser) {
	p.Is("junit-core", result.Test, 1, "JUnit 3 and 4, run by their own main classes")
	p.Reads(tool.Format{Name: "text", Starts: []string{"JUnit version ", "Tests run: …,  Failures: "}, Named: true, Parse: parseJUnitCore})
})

// parseJUnitCore reads the failures, which follow each other without an empty line, and the counts:
//
//	There was 1 failure:
//	1) totals(com.acme.CartTest)
//	java.lang.AssertionError: expected:<4> but was:<3>
//		at org.junit.Assert.fail(Assert.java:88)
//		at com.acme.CartTest.totals(CartTest.java:7)
//
//	FAILURES!!!
//	Tests run: 7,  Failures: 1
func parseJUnitCore(in *tool.Input) *tool.Report {
	return read.Numbered{
		Head: func(title string) bool { // JUnit 3 prints the exception behind the name
			return strings.HasSuffix(title, ")") || !strings.Contains(strings.SplitN(title, ")", 2)[0], " ")
		},
		Ends: func(text string) bool {
			return text == "FAILURES!!!" || strings.HasPrefix(text, "Tests run: ") || strings.HasPrefix(text, "There w")
		},
		Take: func(s *read.Sink, b *read.Block) {
			name, thrown, _ := strings.Cut(b.Title, ")")
			f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name}
			if method, class, ok := strings.Cut(name, "("); ok { // otherwise a class that could not be set up
				f.ID = class + "." + method
			}
			text := b.Body
			if thrown != "" {
				text = append([]string{thrown}, text...)
			}
			junit.Explain(in, &f, text, classOf(f.ID), "")
			s.FindBlock(b, f)
		},
		Other:  junitCoreLine,
		Closes: true,
	}.Parse(in)
}

func junitCoreLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	passed, ok := strings.CutPrefix(text, "OK (")
	switch {
	case ok || strings.HasPrefix(text, "Tests run: "):
		n := read.CountsBehind(text)
		if ok {
			n["tests run"] = read.Counts(passed)["tests"] + read.Counts(passed)["test"]
		}
		return s.Sum(l, n["tests run"], n["failures"]+n["errors"], 0, 0)
	case strings.HasPrefix(text, "JUnit version "), strings.HasPrefix(text, "There w"):
		return s.Sign(l)
	}
	return text == "FAILURES!!!" || strings.HasPrefix(text, "Time: ")
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("clojure.test", result.Test, 1, "clojure.test, and lein test: the assertions that failed, by namespace and test")
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAIL in (… (", "ERROR in (… (", "Ran … tests containing "}, Parse: read.Fresh(func(r *clojureTest) read.Text { return read.Text{Line: r.line, Closes: true} })})
})

// clojureTest reads failed assertions and the counts:
//
//	Testing shop.core-test
//
//	FAIL in (adds) (core_test.clj:7)
//	the sum
//	expected: (= 4 (add 1 2))
//	  actual: (not (= 4 3))
//
//	Ran 4 tests containing 5 assertions.
//	2 failures, 1 errors.
type clojureTest struct {
	ns    string
	ran   bool
	tests int // number of tests that ran
}

func (c *clojureTest) line(s *read.Sink, l tool.Line) bool {
	for _, head := range [...]string{"Testing ", "lein test "} {
		if ns, ok := strings.CutPrefix(l.Text, head); ok && !strings.Contains(ns, " ") {
			s.Break()
			c.ns = ns
			return true
		}
	}
	if name, where, ok := strings.Cut(l.Text, ") ("); ok && (strings.HasPrefix(name, "FAIL in (") || strings.HasPrefix(name, "ERROR in (")) {
		word, tests, _ := strings.Cut(name, " in (")
		c.found(s, l, word, tests, strings.TrimSuffix(where, ")"))
		return true
	}
	if strings.HasPrefix(l.Text, "Ran ") && strings.HasSuffix(l.Text, " assertions.") {
		s.Break()
		s.Tested, c.ran, c.tests = true, true, lex.LeadingNumber(l.Text[4:])
		return true
	}
	if c.ran && strings.HasSuffix(l.Text, " errors.") {
		n := read.Counts(strings.TrimSuffix(l.Text, "."))
		s.Fails(n["failures"])
		s.Claim(n["errors"])
		if s.Count("error", n["errors"]); n["failures"]+n["errors"] == 0 { // with failures, the number of passed tests is not known: the counts are of assertions
			s.Count("passed", c.tests)
		}
		c.ran = false
		return s.Close(l)
	}
	f := s.Last()
	if f == nil || strings.HasPrefix(l.Text, "lein test :only ") {
		return false
	}
	clojureBelow(f, l.Text)
	return s.More(l)
}

// clojureFile puts the directories of a namespace before a file's bare name: "shop/core_test.clj".
func clojureFile(at *result.Location, ns string) *result.Location {
	if dir := path.Dir(strings.ReplaceAll(strings.ReplaceAll(ns, ".", "/"), "-", "_")); at != nil && dir != "." && !strings.Contains(at.Path, "/") {
		at.Path = dir + "/" + at.Path
	}
	return at
}

// found adds a failed assertion.
func (c *clojureTest) found(s *read.Sink, l tool.Line, word, tests, where string) {
	name := tests[strings.LastIndexByte(tests, ' ')+1:]
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, At: clojureFile(clojurePlace("("+where+")"), c.ns)}
	if first, _, ok := strings.Cut(tests, " "); ok {
		f.ID = first
	}
	if c.ns != "" {
		f.ID, f.Suite = c.ns+"/"+f.ID, []string{c.ns}
	}
	if word == "ERROR" { // the place is where it was raised, perhaps in clojure itself: the frames tell
		f.Severity, f.At = result.SevError, nil
	}
	f.Message = word + " in " + name
	s.Find(l, f)
	s.Tested = true // an exception may end the run before its counts
}

// clojureBelow adds a line below the head of an assertion to the finding.
func clojureBelow(f *result.Finding, text string) {
	text, indented := strings.TrimSpace(text), strings.HasPrefix(text, "    ")
	headed := strings.HasPrefix(f.Message, "FAIL in ") || strings.HasPrefix(f.Message, "ERROR in ")
	if value, ok := strings.CutPrefix(text, "expected: "); ok {
		f.Expected = value
		if headed {
			f.Message = value
		}
		return
	}
	if value, ok := strings.CutPrefix(text, ":cause "); ok && f.Actual == "#error {" { // thrown-with-msg? met another message
		f.Actual = value
		return
	}
	if value, ok := strings.CutPrefix(text, "actual: "); ok {
		f.Actual = value
		if f.Severity == result.SevError {
			f.Message = value
		}
		return
	}
	if ns, _, framed := strings.Cut(strings.TrimPrefix(text, "at "), "$"); framed && strings.HasSuffix(text, ")") && (indented || f.Actual != "") {
		if at := clojurePlace(text); f.At == nil && at != nil && !strings.HasPrefix(ns, "clojure.") { // "shelf.core$total.invoke (core.clj:8)"
			f.At = clojureFile(at, ns)
		}
	} else if f.Expected == "" && text != "" {
		f.Message = text
	}
}
