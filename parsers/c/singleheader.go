package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Test libraries that consist of one header. Test programs have any name.
var (
	_ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
		p.Is("greatest", result.Test, 1, "greatest 1.5, C, with -v too")
		p.Reads(tool.Format{Name: "text", Starts: []string{"Pass: …, skip: "}, Parse: read.Lines((*greatest).line)})
	})
	_ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
		p.Is("acutest", result.Test, 1, "acutest 1.0 to 1.09, C and C++")
		p.Reads(tool.Format{Name: "text", Starts: []string{"FAILED: … unit tests ha", "SUCCESS: All unit tests have passed."}, Parse: read.Text{Line: acutestLine, End: filled}.Parse})
	})
)

// greatest reads the tests of suites, "* Suite ring_suite:". The values are above the test that failed:
//
//	Expected: 8
//	     Got: 7
//	FAIL pop_order: 8 != ring_pop(&r) (tests/gr.c:4) (3 ticks, 0.000 sec)
//	PASS ok:  (0 ticks, 0.000 sec)
//	Pass: 1, fail: 1, skip: 0.
type greatest struct {
	suite         bool
	expected, got string
}

func (g *greatest) line(s *read.Sink, l tool.Line) bool {
	key, rest, _ := strings.Cut(strings.TrimSpace(l.Text), ": ")
	word, id, _ := strings.Cut(strings.TrimSuffix(key, ":"), " ")
	n := read.CountsBehind(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "* Suite "):
		g.suite = true
	case !g.suite:
		return false
	case strings.HasPrefix(l.Text, "Pass: ") && strings.Contains(rest, ", skip: "):
		return s.Sum(l, n["pass"]+n["fail"]+n["skip"], n["fail"], 0, n["skip"])
	case key == "Expected":
		g.expected = strings.Clone(rest)
	case key == "Got":
		g.got = strings.Clone(rest)
	case word == "FAIL" && strings.Contains(rest, " ("):
		if strings.HasSuffix(rest, " sec)") { // -v
			rest, _, _ = lex.CutLast(rest, " (")
		}
		message, spot, _ := lex.CutLast(rest, " (")
		fail(s, l, id, read.PlaceOf(strings.TrimSuffix(spot, ")")), message)
		if f := s.Last(); f != nil {
			f.Expected, f.Actual = g.expected, g.got
		}
		g.expected, g.got = "", ""
		s.Break()
	case word == "PASS" || word == "SKIP":
		s.Ran(tool.Test{ID: id, Outcome: map[string]read.Outcome{"PASS": tool.Passed, "SKIP": tool.Skipped}[word]})
	default:
		return strings.Contains(l.Text, " tests (") || strings.Contains(l.Text, " tests - ")
	}
	return true
}

// acutestLine reads a row for each test, and below it the checks that failed:
//
//	Test ring/push...                               [ FAILED ]
//	  ring_test.c:6: a full ring refuses 9... failed
//	Test ring/name...                                 Test interrupted by SIGSEGV.
//	FAILED: 2 of 4 unit tests have failed.
func acutestLine(s *read.Sink, l tool.Line) bool {
	head, came, row := strings.Cut(l.Text, "... ")
	id, isTest := strings.CutPrefix(head, "Test ")
	came = strings.TrimSpace(came)
	f := s.Last()
	switch at, check, placed := place.Cut(strings.TrimSpace(l.Text)); {
	case row && isTest && came == "[ OK ]":
		s.Ran(tool.Test{ID: id, Outcome: tool.Passed})
		return s.Break()
	case row && isTest && came == "[ SKIPPED ]":
		s.Ran(tool.Test{ID: id, Outcome: tool.Skipped})
		return s.Break()
	case row && isTest:
		if came = strings.TrimPrefix(came, "Test "); came == "[ FAILED ]" {
			came = ""
		}
		fail(s, l, id, nil, came)
	case strings.HasPrefix(l.Text, "FAILED: ") && strings.Contains(l.Text, " unit tests ha"):
		words := strings.Fields(l.Text)
		return s.Sum(l, lex.LeadingNumber(words[3]), lex.LeadingNumber(words[1]), 0, 0)
	case l.Text == "SUCCESS: All unit tests have passed.":
		return s.Ended(l)
	case f == nil:
		return false
	case placed && strings.HasSuffix(check, "... failed"):
		if f.At == nil || at != *f.At {
			fail(s, l, f.ID, &at, strings.TrimSuffix(check, "... failed"))
		}
	default:
		return strings.HasPrefix(l.Text, "  ") && s.More(l)
	}
	return true
}
