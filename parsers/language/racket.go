package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("racket raco", func(p *tool.Parser) {
	p.Is("racket", result.Generic, 1, "Racket 8: errors of syntax and of a run, and the checks of rackunit that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*racket).line))})
})

// racket reads an error with its indented details, and blocks of rackunit:
//
//	--------------------
//	inner
//	FAILURE
//	name:       check-equal?
//	location:   rt.rkt:3:0
//	actual:     3
//	expected:   4
//	--------------------
//	2/2 test failures
type racket struct {
	above tool.Line // the line before: above "FAILURE" it names the test case
	check bool      // a block of rackunit is being read
}

const racketRule = "--------------------"

func (r *racket) line(s *read.Sink, l tool.Line) bool {
	above := r.above
	r.above = l
	key, value, _ := strings.Cut(l.Text, ":")
	value = strings.TrimSpace(value)
	failed, tests, counted := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(l.Text, "s"), " test failure"), "/")
	switch f := s.Last(); {
	case l.Stream != tool.Stderr:
		return false
	case l.Text == "FAILURE" || l.Text == "ERROR":
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: l.Text}
		if above.Text != racketRule {
			f.ID, f.Name = above.Text, above.Text
			s.Find(above, f)
		} else {
			s.Find(l, f)
		}
		s.Tested, r.check = true, true
	case l.Text == racketRule:
		s.Break()
		r.check = false
	case r.check && f != nil:
		racketCheck(f, key, value)
		s.More(l)
	case counted && lex.IsDigits(failed) && lex.IsDigits(tests):
		s.Fails(lex.Atoi(failed))
		s.Count("total", lex.Atoi(tests))
		s.Ended(l)
	case f != nil && strings.HasPrefix(l.Text, " "):
		s.More(l)
	case l.Text == "" || strings.HasPrefix(l.Text, "raco test: "):
		return false
	default:
		return racketError(s, l)
	}
	return true
}

// racketCheck puts a row of a block, "actual:     3", into the finding.
func racketCheck(f *result.Finding, key, value string) {
	switch key {
	case "name":
		f.Rule = value
		f.Message = value + " failed"
	case "location":
		f.At = read.PlaceOf(value)
		racketColumn(f.At)
	case "message":
		f.Message = strings.Trim(value, `"`)
	case "actual":
		f.Actual = value
	case "expected":
		f.Expected = value
	}
	if f.ID == "" && f.At != nil {
		f.ID = f.Rule
	}
}

// racketColumn makes a column that Racket counts from 0 count from 1.
func racketColumn(at *result.Location) {
	if at != nil {
		at.Column++
	}
}

// racketError reads "r.rkt:2:1: nope: unbound identifier", and "+: contract violation", which has no place.
func racketError(s *read.Sink, l tool.Line) bool {
	at, message, ok := place.Cut(l.Text)
	if ok && message != "" {
		racketColumn(&at)
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
	}
	if len(s.Findings) > 0 || !strings.Contains(l.Text, ": ") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text})
}
