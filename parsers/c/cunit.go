package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("cunit", result.Test, 2, "CUnit 2.1, C: the basic interface, normal and verbose, and the automated one's XML")
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<CUNIT_TEST_RUN_REPORT"}, Parse: read.Lines((*cunitXML).line)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"CUnit - A unit testing framework for C", "Run Summary:    Type "}, Parse: read.Fresh(func(c *cunit) read.Text { return read.Text{Line: c.line, End: c.end, Closes: true} })})
})

// cunit reads the failed assertions, below the name of their test, and the table at the end:
//
//	Suite tank, Test adds had failures:
//	    1. cu.c:5  - CU_ASSERT_EQUAL(2+2,5)
//	Suite: tank
//	  Test: adds ...FAILED
//	    1. cu.c:5  - CU_ASSERT_EQUAL(2+2,5)
//	               tests      3      3      1      2        0
type cunit struct {
	suite, test string
	failed      int       // number of failed tests so far
	running     bool      // the test has begun and not ended
	start       tool.Line // the line with which the test began
}

// end completes the report of a program that ended before its table. If tests are named, the last one was running.
func (c *cunit) end(s *read.Sink) {
	if s.Closed() {
		return
	}
	if c.running {
		c.failed++
		s.Find(c.start, result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: c.suite + ": " + c.test, Name: c.test, Message: "the program ended while this test ran"})
	}
	if c.failed > 0 {
		s.Count("failed", c.failed)
	}
}

func (c *cunit) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if name, ok := strings.CutSuffix(text, " had failures:"); ok {
		c.suite, c.test, _ = strings.Cut(strings.TrimPrefix(name, "Suite "), ", Test ")
		c.failed++
		return true
	}
	if name, ok := strings.CutPrefix(text, "Suite: "); ok {
		c.suite = name
		return true
	}
	if name, ok := strings.CutPrefix(text, "Test: "); ok {
		var came string
		c.test, came, c.running = strings.Cut(name, " ...")
		if c.running, c.start = c.running && came == "", l; came == "FAILED" {
			c.failed++
		}
		return true
	}
	if what, ok := strings.CutPrefix(text, "WARNING - Suite "); ok { // initialization failed for 'tank'.
		what, suite, _ := strings.Cut(strings.TrimSuffix(what, "'."), " for '")
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: suite, Message: "Suite " + what})
		s.Count("error", 1)
		s.Claim(1)
		return s.Break()
	}
	if number, rest, ok := strings.Cut(text, ". "); ok && lex.IsDigits(number) && c.test == "" && s.Closed() {
		return strings.Contains(rest, "  - ") // the list of all failures, below the table
	} else if ok && lex.IsDigits(number) && c.test != "" {
		where, why, said := strings.Cut(rest, "  - ")
		if path, line, placed := place.CutLineNumber(where); said && placed {
			fail(s, l, c.suite+": "+c.test, &result.Location{Path: path, Line: line}, why)
			return s.Break()
		}
	}
	return c.summary(s, l, strings.Fields(text)) || text == "" || lex.HasAnyPrefix(text, "CUnit - A unit testing", "http://cunit.", "Elapsed time = ")
}

// summary reads a row of the table, "tests 3 3 1 2 0": the numbers in total, run, passed, failed and inactive.
func (c *cunit) summary(s *read.Sink, l tool.Line, cells []string) bool {
	if len(cells) != 6 || !lex.IsDigits(cells[1]) || !lex.IsDigits(cells[2]) {
		return len(cells) > 3 && cells[0] == "Run" && cells[1] == "Summary:"
	}
	switch cells[0] {
	case "suites":
	case "tests":
		s.Count("passed", lex.Atoi(cells[3])) // added, since the output may be of several programs
		s.Count("failed", lex.Atoi(cells[4]))
		s.Tested = s.Tested || cells[2] != "0"
		s.NoTests = !s.Tested
	case "asserts":
		s.Claim(lex.Atoi(cells[4]))
		*c = cunit{}
		s.Close(l)
	default:
		return false
	}
	return true
}

// cunitXML reads the report of CUnit's automated interface, one element per line:
//
//	<SUITE_NAME> tank </SUITE_NAME>
//	<CUNIT_RUN_TEST_FAILURE>
//	  <TEST_NAME> adds </TEST_NAME>
//	  <FILE_NAME> cu.c </FILE_NAME>
//	  <LINE_NUMBER> 5 </LINE_NUMBER>
//	  <CONDITION> CU_ASSERT_EQUAL(2+2,5) </CONDITION>
type cunitXML struct {
	suite, test, kind string // kind is the row of the summary that is being read
	at                result.Location
}

func (c *cunitXML) line(s *read.Sink, l tool.Line) bool {
	name, text := "", ""
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			return name != ""
		case xmltext.Open:
			name, text = string(x.Name), ""
		case xmltext.Text:
			text += x.Content()
		case xmltext.Close:
			name = string(x.Name)
			c.element(s, l, name, strings.TrimSpace(text))
		}
	}
}

func (c *cunitXML) element(s *read.Sink, l tool.Line, name, text string) {
	switch name {
	case "SUITE_NAME":
		c.suite = text
	case "TEST_NAME":
		c.test = text
	case "FILE_NAME":
		c.at.Path = text
	case "LINE_NUMBER":
		c.at.Line = lex.Atoi(text)
	case "CONDITION":
		at := c.at
		fail(s, l, c.suite+": "+c.test, &at, text)
		s.Break()
	case "FAILURE_REASON":
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: c.suite, Message: text})
		s.Count("error", 1)
		s.Claim(1)
		s.Break()
	case "TYPE":
		c.kind = text
	case "SUCCEEDED", "FAILED":
		c.summary(s, name, lex.Atoi(text))
	case "CUNIT_TEST_RUN_REPORT":
		s.Close(l)
	}
}

// summary reads how many tests passed and failed, and how many assertions failed.
func (c *cunitXML) summary(s *read.Sink, name string, n int) {
	switch c.kind + " " + name {
	case "Test Cases SUCCEEDED":
		s.Count("passed", n)
		s.Tested = true
	case "Test Cases FAILED":
		s.Count("failed", n)
	case "Assertions FAILED":
		s.Claim(n)
	}
}
