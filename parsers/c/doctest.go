package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
		s.Claim(pipes(s, text[len("test cases: "):]))
		s.Tested = true
		s.NoTests = strings.HasPrefix(strings.TrimSpace(text[len("test cases: "):]), "0 ")
		s.Sign(l)
	case strings.HasPrefix(text, "Status: "):
		s.Close(l)
	default:
		s.Sign(l)
	}
}
