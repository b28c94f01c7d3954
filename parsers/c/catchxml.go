package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// catchXML reads the XML of Catch2 (its reporter xml) and, with other names, of doctest, with one element per line:
//
//	<TestCase name="adds" filename="math.cc" line="6">
//	  <Section name="second" …>
//	    <Expression success="false" type="CHECK" filename="math.cc" line="7">
//	      <Original> … <Expanded>
//	  <OverallResult success="false"/>
type catchXML struct {
	doctest bool
	test    testCase
	names   []string // of the test case and its sections
	head    tool.Line
	at      result.Location
	lenient bool // the test case may, or should, fail
	failure catchFailure
	inside  string // the element whose text is being read
}

// catchFailure is an expression or an exception that is being read.
type catchFailure struct {
	element, kind            string
	crash                    bool
	original, expanded, text string
	logged, wanted           string // logged: text that the test logged; wanted: the expected exception, ", E"
}

func parseCatchXML(in *tool.Input) *tool.Report {
	c := &catchXML{}
	return read.Text{Line: c.line, End: filled, Closes: true}.Parse(in)
}

func (c *catchXML) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case !s.Signed && !lex.HasAnyPrefix(text, catchXMLRoots...):
		return false
	case !strings.HasPrefix(text, "<"):
		c.text(s, l, text)
		return true
	}
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			return true
		case xmltext.Open:
			c.open(s, l, x)
		case xmltext.Close:
			c.close(s, l, string(x.Name))
		}
	}
}

// catchXMLRoots begin a document of Catch2 2, of Catch2 3 and of doctest.
var catchXMLRoots = []string{"<Catch name=", "<Catch2TestRun ", "<doctest binary="}

func (c *catchXML) open(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	name := string(x.Name)
	switch name {
	case "Catch", "Catch2TestRun", "doctest":
		c.doctest = name == "doctest"
		s.Sign(l)
	case "TestCase":
		title := strings.TrimSpace(x.Attr("name"))
		c.test.end(s)
		c.names, c.test, c.head = []string{title}, testCase{name: title}, l
		c.at = result.Location{Path: x.Attr("filename"), Line: x.Number("line")}
		tags := x.Attr("tags")
		c.lenient = strings.Contains(tags, "[!mayfail]") || strings.Contains(tags, "[!shouldfail]") || x.Attr("may_fail")+x.Attr("should_fail") != ""
		if x.Attr("skipped") == "true" {
			c.test.came = tool.Skipped
		}
		s.Break()
	case "Section", "SubCase":
		c.names = append(c.names, strings.TrimSpace(x.Attr("name")))
	case "Expression", "Exception", "FatalErrorCondition", "Failure", "Message":
		if c.failure.element != "" { // inside an expression: the exception that it threw
			c.inside = name
			break
		}
		if kind := x.Attr("type"); x.Attr("success") == "true" || kind == "WARN" || name == "Message" && !strings.HasSuffix(kind, "ERROR") {
			break // a warning: the test may pass
		}
		c.failure = catchFailure{element: name, kind: x.Attr("type"), crash: x.Attr("crash") == "true"}
		c.inside = name
		at := c.at
		if path := x.Attr("filename"); path != "" {
			at = result.Location{Path: path, Line: x.Number("line")}
		}
		c.fail(s, l, sectionID(c.names), at, "")
	case "Original", "Expanded", "Info", "ExpectedException", "ExpectedExceptionString":
		c.inside = name
	case "OverallResult", "OverallResultsAsserts":
		c.result(s, l, x)
	case "OverallResultsCases", "OverallResultsTestCases":
		c.counts(s, l, x)
	}
}

// fail adds a failure. The span of a test's first failure begins with the test case.
func (c *catchXML) fail(s *read.Sink, l tool.Line, id string, at result.Location, message string) {
	from := c.head
	if f := s.Last(); f != nil && f.ID == id {
		from = l
	}
	fail(s, from, id, &at, message)
	s.More(l)
	if f := s.Last(); c.lenient && f != nil {
		f.Severity = result.SevInfo
	} else {
		c.test.failed(id)
	}
}

// result takes the result of the test case, which decides its outcome.
func (c *catchXML) result(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	if c.test.name == "" {
		return
	}
	said := x.Attr("success") + x.Attr("test_case_success")
	switch {
	case said == "false":
		if c.test.came != tool.Failed {
			message := "failed; the report says no more"
			if c.lenient {
				message = "Should have failed but didn't! Marking it as failed!"
			}
			c.lenient = false
			c.fail(s, l, c.names[0], c.at, message)
		}
		c.test.came = tool.Failed
	case said == "true" && c.test.came == tool.Failed && s.Last() != nil: // it failed as often as expected
		s.Last().Severity, c.test.came = result.SevInfo, tool.XFailed
	case said != "true" || c.test.came == tool.Failed:
	case lex.Atoi(x.Attr("skips")) > 0:
		c.test.came = tool.Skipped
	case c.lenient && c.inside != "":
		c.test.came = tool.XFailed
	default:
		c.test.came = tool.Passed
	}
	c.test.ms, _ = lex.Millis(x.Attr("durationInSeconds") + x.Attr("duration"))
	c.test.end(s)
	c.inside = ""
	s.Break()
}

// counts replaces the counts: the document's own are the last, after those of each group of tests.
func (c *catchXML) counts(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	clear(s.Counts)
	s.Claimed, s.Tested = 0, true
	s.NoTests = true
	for _, of := range [...][2]string{{"passed", "successes"}, {"failed", "failures"}, {"xfailed", "expectedFailures"}, {"skipped", "skipped"}, {"skipped", "skips"}} {
		if n := lex.Atoi(x.Attr(of[1])); n > 0 {
			s.NoTests = false
			s.Score(of[0], n)
		}
	}
	s.Sign(l)
}

func (c *catchXML) close(s *read.Sink, l tool.Line, name string) {
	switch name {
	case "Expression", "Exception", "FatalErrorCondition", "Failure", "Message":
		if c.failure.element != name {
			return
		}
		if f := s.Last(); f != nil {
			if f.Message != "" && len(f.Message) < longMessage {
				f.Message += "; "
			}
			if len(f.Message) < longMessage {
				f.Message += c.failure.message(c.doctest)
			}
		}
		c.failure = catchFailure{}
	case "Section", "SubCase":
		if len(c.names) > 1 {
			c.names = c.names[:len(c.names)-1]
		}
	case "Catch", "Catch2TestRun", "doctest":
		c.test.end(s)
		s.Close(l)
	}
}

// text takes a line of an element's text, inside a failure.
func (c *catchXML) text(s *read.Sink, l tool.Line, text string) {
	if text == "" || c.failure.element == "" {
		return
	}
	to, text := &c.failure.text, xmltext.Unescape(text)
	switch c.inside {
	case "Original":
		to = &c.failure.original
	case "Expanded":
		to = &c.failure.expanded
	case "Info":
		to = &c.failure.logged
	case "ExpectedException":
		to, text = &c.failure.wanted, ", "+text
	case "ExpectedExceptionString":
		to, text = &c.failure.wanted, `, "`+text+`"`
	}
	if *to != "" && to != &c.failure.wanted {
		text = " " + text
	}
	if *to += text; s.Last() != nil {
		s.More(l)
	}
}

// message returns the text that the console has for the failure.
func (f *catchFailure) message(doctest bool) string {
	within := func(expression string) string { return f.kind + "( " + expression + " )" }
	switch {
	case f.element == "Message":
		return f.text
	case f.element == "Expression" && doctest:
		return within(f.original+f.wanted) + f.doctestValues(within)
	case f.element == "Expression" && f.text != "":
		return within(f.original) + " due to unexpected exception with message: " + f.text
	case f.element == "Expression" && f.original == f.expanded:
		return within(f.original)
	case f.element == "Expression":
		return within(f.original) + " with expansion: " + f.expanded
	case f.element == "Failure":
		return "explicitly with message: " + f.text
	case f.element == "FatalErrorCondition":
		return "due to a fatal error condition: " + f.text
	case doctest && f.crash:
		return "test case CRASHED: " + f.text
	case doctest:
		return "test case THREW exception: " + f.text
	}
	return "due to unexpected exception with message: " + f.text
}

// doctestValues returns the result of an expression of doctest: its values, or the exception.
func (f *catchFailure) doctestValues(within func(string) string) string {
	switch {
	case f.expanded != "" && f.logged != "":
		return " is NOT correct! values: " + within(f.expanded) + " logged: " + f.logged
	case f.expanded != "":
		return " is NOT correct! values: " + within(f.expanded)
	case f.text == "":
		return " did NOT throw at all!"
	case f.wanted != "":
		return " threw a DIFFERENT exception: " + f.text
	}
	return " THREW exception: " + f.text
}
