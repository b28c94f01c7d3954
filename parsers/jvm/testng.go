package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
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

// testNG reads the verdicts, each followed by the exception up to a blank line, and the counts of a suite:
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
type testNG struct {
	in    *tool.Input
	text  []string
	fails bool // the lines are those of a failure's exception
}

func parseTestNG(in *tool.Input) *tool.Report {
	t := &testNG{in: in}
	return read.Text{Line: t.line, End: t.explain, Closes: true}.Parse(in)
}

// testNGVerdicts maps the words of verdicts to outcomes. A configuration is a method that sets up or cleans up, not a
// test.
var testNGVerdicts = map[string]read.Outcome{
	"PASSED": tool.Passed, "FAILED": tool.Failed, "SKIPPED": tool.Skipped, "RETRIED": tool.Rerun,
	"FAILED CONFIGURATION": tool.Errored, "SUCCESSFUL_PERCENTAGE_FAILURE": tool.Passed,
}

func (t *testNG) line(s *read.Sink, l tool.Line) bool {
	word, name, _ := strings.Cut(l.Text, ": ")
	came := testNGVerdicts[word]
	switch {
	case came != "" && name != "":
		t.explain(s)
		t.verdict(s, l, came, name)
	case strings.HasPrefix(l.Text, "Total tests run: "):
		t.explain(s)
		t.count(s, l)
	case strings.HasPrefix(l.Text, "Configuration Failures: ") && s.Tested:
		s.Close(l)
	case l.Text == "" && t.fails:
		t.explain(s)
	case t.fails:
		t.text = append(t.text, l.Text)
		s.More(l)
	default:
		return false
	}
	return true
}

func (t *testNG) verdict(s *read.Sink, l tool.Line, came read.Outcome, name string) {
	if came == tool.Errored { // "@BeforeMethod com.acme.CartTest.open"
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: name})
		s.NoTest(name)
		s.Unread("what sets up or cleans up for tests failed")
		t.fails = true
		return
	}
	s.Ran(tool.Test{ID: name, Outcome: came, Times: 1})
	if came != tool.Failed {
		return
	}
	t.fails = s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name})
}

// explain adds the exception below a verdict to the finding.
func (t *testNG) explain(s *read.Sink) {
	if f := s.Last(); f != nil && t.fails && len(t.text) > 0 {
		junit.Explain(t.in, f, t.text, classOf(f.ID), "")
	}
	t.text, t.fails = nil, false
	s.Break()
}

// count reads "Total tests run: 7, Passes: 2, Failures: 3, Skips: 2". Before version 7 the line has no passes.
func (t *testNG) count(s *read.Sink, l tool.Line) {
	n := read.CountsBehind(l.Text)
	s.NoTests = n["total tests run"] == 0
	s.Sum(l, n["total tests run"], n["failures"], 0, n["skips"])
}
