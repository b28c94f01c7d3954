package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("catch2", result.Test, 1, "Catch2 2 and 3: console, compact, xml, junit")
	p.Filter = tool.Filter{Spell: read.FirstTitle}
	p.JUnit = catch2Reports
	p.Reads(tool.Format{Name: "console", Starts: []string{"Run with -? for options", "All tests passed (", "Failed …assertion", "RNG seed: ", "No tests ran", "Error(s) in input:", "Errors occurred during startup!"},
		Parse: parseCatch2})
	p.Reads(tool.Format{Name: "console", Starts: []string{"test cases: "}, Sniff: isCatchSum, Parse: parseCatch2}) // the end alone
	p.Reads(tool.Format{Name: "compact", Starts: pathStarts(": failed: "), Sniff: isCompactRow, Parse: parseCompact})
	p.Reads(tool.Format{Name: "compact", Starts: []string{"# rng-seed: "}, Parse: read.Fresh(func(c *catch2) read.Text { return read.Text{Line: c.tap, End: c.end, Closes: true} })})
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<Catch name=", "<Catch2TestRun "}, Parse: parseCatchXML})
})

var parseCatch2 = read.Fresh(func(c *catch2) read.Text { return read.Text{Line: c.line, End: c.end, Closes: true} })

// isCatchSum tells "test cases: 9 | 1 passed | 8 failed" from the line of doctest, which always has all three counts.
func isCatchSum(line string) bool {
	return !strings.Contains(line, " passed | ") || !strings.Contains(line, " failed | ") || !strings.Contains(line, " skipped")
}

// isCompactRow reports whether a line is a failure of the reporter compact: "c2.cc:6: failed: a == b for: 1 == 2".
func isCompactRow(line string) bool {
	at, rest, ok := place.Cut(strings.TrimSpace(line))
	return ok && at.Line > 0 && strings.HasPrefix(rest, "failed: ")
}

// parseCompact reads the rows of a run that ended before its totals. Output with totals is read by the format console.
func parseCompact(in *tool.Input) *tool.Report {
	argv := in.Command().Argv
	if !slices.Contains(argv, "compact") && !slices.Contains(argv, "--reporter=compact") {
		return nil
	}
	c := &catch2{}
	ended := false
	rep := read.Text{Line: c.line, End: func(s *read.Sink) {
		c.end(s)
		ended = s.Closed()
		s.Tested, s.Doubt = true, "the run ended before its totals"
	}}.Parse(in)
	if ended {
		return nil
	}
	return rep
}

// catch2 reads a block for each failure: the names of the test case and its sections between horizontal rules, and
// "c2.cc:6: FAILED:" with the expression below.
type catch2 struct {
	rules  int // number of horizontal rules seen, "-----"; the head is between two
	width  int // width of a rule
	names  []string
	full   int // length of the last line of the head
	test   testCase
	expand *string
	more   bool // a further failure of the test begins
	timed  bool // durations of tests without a head were read
}

func (c *catch2) end(s *read.Sink) {
	if c.timed && c.width == 0 { // the reporter compact does not say to which test a failure belongs
		s.Doubt = "the names of tests stand in the text alone"
	}
	c.test.end(s)
	filled(s)
}

func (c *catch2) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "-----") && strings.Trim(text, "-") == "" && (c.width == 0 || c.width == len(text)):
		c.width = len(text)
		if c.rules++; c.rules%2 == 1 {
			c.names = nil
		} else if len(c.names) > 0 {
			c.test.begin(s, c.names[0])
		}
		s.Break()
	case strings.HasPrefix(text, "....") && strings.Trim(text, ".") == "":
		c.rules = 0
	case c.rules == 1 && text != "":
		c.title(l.Text, text)
	case c.verdict(s, l, text):
	case c.failure(s, l, text):
	case lex.HasAnyPrefix(text, "Error(s) in input:", "Errors occurred during startup!"):
		s.Close(l)
		s.Refuse(l, result.Finding{Kind: result.GenericFinding})
	case c.names == nil && isTook(text, nil):
		c.timed = true
		return false
	case isTook(text, c.names), lex.HasAnyPrefix(text, "RNG seed: ", "Randomness seeded to: ", "Filters: "):
		s.Break()
	case s.Last() != nil && text != "":
		c.below(s, l, text)
	default:
		return false
	}
	return true
}

// isTook reports whether a line is the duration that -d yes prints after a section and a test case: "0.002 s: adds".
// names are the expected names; nil accepts any. The reporter compact prints names only here.
func isTook(text string, names []string) bool {
	seconds, name, ok := strings.Cut(text, " s: ")
	return ok && (names == nil || slices.Contains(names, strings.TrimLeft(name, " "))) && lex.IsDigits(strings.Replace(seconds, ".", "", 1))
}

// headWidth is the maximum length of a line of a head, in bytes.
const headWidth = 79

// title takes a line of a head: the name of the test case or a section, or the rest of a name that is too long for one.
func (c *catch2) title(line, text string) {
	first, _, _ := strings.Cut(text, " ")
	if n := len(c.names); n > 0 && (line[0] != ' ' || c.full+1+len(first) > headWidth) {
		c.names[n-1] += " " + text
	} else {
		c.names = append(c.names, strings.Clone(text))
	}
	c.full = len(line)
}

// failure reads "c2.cc:6: FAILED:" and compact's "c2.cc:6: failed: a == b for: 1 == 2".
func (c *catch2) failure(s *read.Sink, l tool.Line, text string) bool {
	at, rest, ok := place.Cut(text)
	if !ok {
		return false
	}
	if message, compact := strings.CutPrefix(rest, "failed: "); compact {
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, At: &at, Message: message}) // without the name of the test
	}
	if rest == "FAILED:" {
		c.expand, c.more = nil, s.Last() != nil && s.Last().ID == sectionID(c.names)
		fail(s, l, sectionID(c.names), &at, "")
		c.test.failed(sectionID(c.names))
		return true
	}
	if came := map[string]read.Outcome{"PASSED:": tool.Passed, "SKIPPED:": tool.Skipped}[rest]; came != "" && c.test.came != tool.Failed {
		c.test.came = came
	}
	if strings.HasSuffix(rest, ":") && strings.ToUpper(rest) == rest { // PASSED, WARNING
		s.Break()
	}
	return false
}

// below takes the expression and its expansion.
func (c *catch2) below(s *read.Sink, l tool.Line, text string) {
	s.More(l)
	f := s.Last()
	more := c.more
	c.more = false
	switch {
	case len(f.Message) >= longMessage && !strings.HasSuffix(f.Message, ":"):
	case more && f.Message != "":
		f.Message += "; " + text
	case strings.HasPrefix(text, "with expansion:"):
		c.expand = new(string)
	case c.expand != nil && *c.expand == "":
		*c.expand = text
		f.Message += " with expansion: " + text
	case f.Message == "":
		f.Message = text
	case strings.HasSuffix(f.Message, ":") || strings.HasSuffix(text, "with message:") || strings.HasPrefix(f.Message, "due to "):
		f.Message = strings.TrimSuffix(f.Message+" "+text, ".")
	}
}

// tap reads a TAP point per assertion, below a comment with its test: "# adds" and "not ok 3 - a == b for: 1 == 2".
func (c *catch2) tap(s *read.Sink, l tool.Line) bool {
	name, isName := strings.CutPrefix(l.Text, "# ")
	point, isPoint := strings.CutPrefix(strings.TrimPrefix(l.Text, "not "), "ok ")
	_, what, _ := strings.Cut(point, " - ")
	switch {
	case strings.HasPrefix(name, "rng-seed: "):
		return s.Sign(l)
	case isName:
		c.test.begin(s, strings.Clone(name))
	case isPoint && strings.HasPrefix(l.Text, "not "):
		fail(s, l, c.test.name, nil, what)
		c.test.failed(c.test.name)
	case isPoint && strings.Contains(what, "# SKIP"):
		c.test.came = tool.Skipped
	case isPoint && c.test.came == "":
		c.test.came = tool.Passed
	case strings.HasPrefix(l.Text, "1.."):
		return s.Ended(l)
	}
	return isName || isPoint
}

// verdict reads "test cases: 9 | 1 passed | 8 failed".
func (c *catch2) verdict(s *read.Sink, l tool.Line, text string) bool {
	was := len(s.Counts)
	switch {
	case strings.HasPrefix(text, "test cases: "):
		pipes(s, text[len("test cases: "):])
		c.test.end(s)
		if s.Counts["xfailed"] > 0 {
			s.Tests.Withdraw(tool.Passed, s.Counts["failed"]+s.Counts["xfailed"])
		}
	case strings.HasPrefix(text, "assertions: "):
	case strings.HasPrefix(text, "All tests passed ("):
		_, cases, _ := strings.Cut(text, " in ")
		s.Count("passed", lex.LeadingNumber(cases))
	case strings.HasPrefix(text, "Failed ") && strings.Contains(text, "assertion"):
		n := lex.LeadingNumber(text[len("Failed "):])
		s.Claim(n)
		if strings.Contains(text, " test case") {
			s.Count("failed", n)
		}
	case strings.HasPrefix(text, "Passed ") && strings.Contains(text, " assertion"):
		s.Count("passed", lex.LeadingNumber(text[len("Passed "):]))
	case strings.HasPrefix(text, "No tests ran"), strings.HasPrefix(text, "No test cases matched"):
		s.NoTests = true
	default:
		return false
	}
	if was > 0 && len(s.Counts) > 0 && !strings.HasPrefix(text, "assertions: ") {
		s.Unread("the output has two closing lines")
	}
	return s.Ended(l)
}
