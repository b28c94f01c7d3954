package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("quickcheck", result.Test, 1, "QuickCheck 2, Haskell, in the test suites that Cabal runs: properties that a value falsified, and suites that failed")
	p.Matches = func(argv []string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test suite logged to: ", "*** Failed! "}, Parse: read.Fresh(func(q *quickCheck) read.Text { return read.Text{Line: q.line} })})
})

// quickCheck reads a property with its name in front, and the values that falsified it:
//
//	divvy/evenly                  +++ OK, passed 200 tests.
//	split/empty delim             *** Failed! Falsified (after 2 tests):
//	['c']
//	Test suite split-tests: FAIL
//	0 of 1 test suites (0 of 1 test cases) passed.
type quickCheck struct {
	suite bool // a failed property of the suite was read
}

func (q *quickCheck) line(s *read.Sink, l tool.Line) bool {
	name, why, failed := strings.Cut(l.Text, "*** Failed! ")
	suite, verdict, ofSuite := strings.Cut(strings.TrimPrefix(l.Text, "Test suite "), ": ")
	proved, _, passed := strings.Cut(l.Text, "+++ OK, passed ")
	switch {
	case passed:
		s.Break()
		s.Counted(tool.Test{ID: propertyName(proved), Outcome: read.Passed})
	case failed:
		s.Counted(tool.Test{ID: propertyName(name), Outcome: read.Failed})
		s.Claim(1)
		q.suite = true
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: propertyName(name), Message: strings.TrimSuffix(why, ":")})
	case ofSuite && strings.HasPrefix(l.Text, "Test suite ") && lex.IsOneOf(verdict, "FAIL PASS RUNNING..."):
		s.Break()
		if s.Sign(l); verdict == "FAIL" && !q.suite {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: suite, Message: "failed"})
			s.Break()
		}
		q.suite = false
	case strings.HasPrefix(l.Text, "Test suite logged to: "), strings.HasSuffix(l.Text, " test cases) passed."):
		return s.Close(l)
	case s.Last() != nil && s.Last().Kind == result.TestFailure && !strings.Contains(l.Text, ": user error ("):
		f := s.Last()
		if f.Detail == "" || len(f.Message) < 200 {
			f.Message += "; " + strings.TrimSpace(l.Text)
		}
		return s.More(l)
	default:
		return s.Break() && false
	}
	return true
}

// propertyName returns the name of a property: the text in front of its verdict, or "property" if that is empty.
func propertyName(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "property"
	}
	return text
}
