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

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("doctest-cpp", result.Test, 1, "doctest 2.3 to 2.4, C++: console, xml, junit")
	p.Filter = tool.Filter{Flag: "-tc", Spell: read.FirstTitle}
	p.JUnit = doctestReports
	p.Reads(tool.Format{Name: "console", Starts: []string{"[doctest] "}, Parse: read.Fresh(func(d *doctestCpp) read.Text { return read.Text{Line: d.line, End: d.end, Closes: true} })})
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<doctest binary="}, Parse: parseCatchXML})
})

// doctestCpp reads "TEST CASE:  adds", its indented subcases, and
// "dt.cc:4: ERROR: CHECK( 1 + 1 == 3 ) is NOT correct!".
type doctestCpp struct {
	name   string
	test   testCase
	head   bool
	placed bool             // the line above is the place of a test case
	at     *result.Location // place of the test case
	logged bool             // the text that the test logged continues
}

func (d *doctestCpp) end(s *read.Sink) {
	d.test.end(s)
	if s.Tests != nil {
		if unnamed, _ := s.Tests.Against(s.Counts); unnamed["passed"] > 0 && s.Tests.Passed() > 0 {
			s.Unread("a test case without an assertion has no row")
		}
	}
	filled(s)
}

func (d *doctestCpp) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	for _, head := range [...]string{"TEST CASE:", "TEST CASE TEMPLATE:", "TEST SUITE:"} {
		if name, ok := strings.CutPrefix(text, head); ok {
			if head != "TEST SUITE:" {
				d.name, d.head, d.placed = strings.TrimSpace(name), true, false
				d.test.begin(s, d.name)
				s.Break()
			}
			return true
		}
	}
	head := d.head
	d.head = head && text != ""
	at, rest, placed := place.Cut(text)
	word, message, _ := strings.Cut(rest, ": ")
	logged := d.logged && strings.HasPrefix(l.Text, "          ")
	d.logged = false
	switch {
	case placed && rest == "":
		d.at, d.placed = &at, true
		return s.Signed
	case d.placed && strings.HasPrefix(l.Text, "  Scenario: "):
		d.name, d.head, d.placed = text, true, false
		d.test.begin(s, d.name)
		s.Break()
	case strings.HasPrefix(text, "[doctest] "):
		d.verdict(s, l, text[len("[doctest] "):])
	case head && text != "" && l.Text[0] == ' ':
		d.name += " > " + text
	case placed && (word == "ERROR" || word == "FATAL ERROR"):
		fail(s, l, d.name, &at, message)
		d.test.failed(d.name)
	case placed && word == "SUCCESS" && d.test.came == "":
		d.test.came = tool.Passed
	case placed && (word == "WARNING" || word == "MESSAGE"): // passing tests print these, too
		s.Break()
	case strings.HasSuffix(strings.TrimSuffix(text, "!"), " so marking it as not failed") && s.Last() != nil:
		s.Last().Severity, d.test.came = result.SevInfo, tool.XFailed
		s.More(l)
	case lex.HasAnyPrefix(text, "Should have failed but didn't!", "Didn't fail exactly ", "Failed exactly ", "Test case exceeded time limit of "):
		fail(s, l, d.name, d.at, text)
		d.test.failed(d.name)
	case strings.HasSuffix(text, " s: "+d.test.name) && d.test.name != "":
		d.took(text)
	case s.Last() != nil && (logged || lex.HasAnyPrefix(text, "values: ", "logged: ")):
		if d.logged = logged || text[0] == 'l'; len(s.Last().Message) < longMessage {
			s.Last().Message += " " + text
		}
		s.More(l)
	case s.Last() != nil && text != "" && !strings.HasPrefix(text, "====="):
		s.More(l)
	default:
		return false
	}
	return true
}

// took reads "0.000008 s: adds", which -d prints after each test case. Without an error above, the test passed.
func (d *doctestCpp) took(text string) {
	seconds, _, _ := strings.Cut(text, ":")
	ms, ok := lex.Millis(seconds)
	if d.test.ms = ms; ok && d.test.came == "" {
		d.test.came = tool.Passed
	}
}

func (d *doctestCpp) verdict(s *read.Sink, l tool.Line, text string) {
	switch {
	case strings.HasPrefix(text, "test cases: "):
		pipes(s, text[len("test cases: "):])
		s.Tested = true
		s.NoTests = strings.HasPrefix(strings.TrimSpace(text[len("test cases: "):]), "0 ")
		s.Sign(l)
	case strings.HasPrefix(text, "Status: "):
		s.Close(l)
	default:
		s.Sign(l)
	}
}
