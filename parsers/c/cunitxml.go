package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// cunitXML reads the report of CUnit's automated interface, an element a line:
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
