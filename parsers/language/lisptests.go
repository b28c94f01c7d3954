package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// lispTests reads RT, the regression tester of Common Lisp. The values of a failed test may take several lines:
//
//	Test ALEXANDRIA-TESTS::CLAMP.1 failed
//	Form: (LIST (ALEXANDRIA:CLAMP 1.5 1 2))
//	Expected value: (1.5)
//	Actual value: (2).
//	2 out of 249 total tests failed: ALEXANDRIA-TESTS::CLAMP.1, …
type lispTests struct {
	value *string // the field of the last finding that the next lines continue, or nil
}

func (t *lispTests) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	name, failed := strings.CutSuffix(strings.TrimPrefix(l.Text, "Test "), " failed")
	bad, rest, counted := strings.Cut(l.Text, " out of ")
	total, _, counts := strings.Cut(rest, " total tests failed")
	switch {
	case failed && strings.HasPrefix(l.Text, "Test ") && !strings.Contains(name, " "):
		t.value = nil
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: "failed"})
	case counted && counts && lex.IsDigits(bad) && lex.IsDigits(total):
		return s.Sum(l, lex.Atoi(total), lex.Atoi(bad), 0, 0)
	case strings.HasPrefix(l.Text, "No tests failed."):
		return s.Close(l)
	case f == nil || f.Kind != result.TestFailure:
		return false
	}
	for _, field := range []struct {
		head string
		to   *string
	}{{"Form: ", new(string)}, {"Expected value: ", &f.Expected}, {"Actual value: ", &f.Actual}} {
		if text, ok := strings.CutPrefix(l.Text, field.head); ok {
			*field.to, t.value = text, field.to
			return t.more(s, l)
		}
	}
	if t.value == nil || len(*t.value) > lex.MaxRest {
		return false
	}
	*t.value += " " + strings.TrimSpace(l.Text)
	return t.more(s, l)
}

// more adds a line to the last test. A full stop ends the actual value, and with it the test.
func (t *lispTests) more(s *read.Sink, l tool.Line) bool {
	s.More(l)
	if f := s.Last(); t.value == &f.Actual && strings.HasSuffix(f.Actual, ".") {
		f.Actual = strings.TrimSuffix(f.Actual, ".")
		t.value = nil
		return s.Break()
	}
	return true
}
