package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// byFile reads the reporter @jsumners/line-reporter: a row for each file, then the failures of each file with their
// places, and the counts. It does not print the names of tests.
//
//	failed: /tmp/test/close.test.js (854.1 ms)
//
//	Failed tests:
//
//	/tmp/test/close.test.js
//		line: 8, column: 1
//			not closed
type byFile struct{ failing bool }

func (b *byFile) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, count, counted := strings.Cut(text, ": ")
	line, column, placed := strings.Cut(strings.TrimPrefix(text, "line: "), ", column: ")
	switch f := s.Last(); {
	case l.Text == "Failed tests:":
		b.failing = true
		return s.Sign(l)
	case lex.IsOneOf(word, "passed failed") && strings.HasSuffix(text, " ms)"):
		return s.Sign(l)
	case counted && lex.IsOneOf(word, "Passed Failed Total") && lex.IsDigits(count):
		b.failing = false
		s.Break()
		if word == "Total" {
			return s.Ended(l)
		} else if word == "Failed" {
			s.Fails(lex.Atoi(count))
		} else {
			s.Count("passed", lex.Atoi(count))
		}
	case !b.failing:
		return false
	case placed && lex.IsDigits(line) && lex.IsDigits(column) && s.Path != "":
		at := &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed", At: at})
	case strings.HasPrefix(l.Text, "\t\t") && f != nil:
		if f.Message == "failed" {
			f.Message = text
		}
		return s.More(l)
	case text != "" && l.Text == text && place.LastColons(text) == nil:
		s.Break()
		s.Path = strings.Clone(text)
	}
	return true
}
