package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("cpputest", result.Test, 1, "CppUTest 3.8 and 4.0: normal, and TeamCity's messages")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Errors (…failures", "OK (…tests", "but was  <", "CHECK(…) failed", "TEST(…) - "}, Sniff: isCppUTest, Parse: func(in *tool.Input) *tool.Report {
		u := &cppUTest{}
		return read.Text{Closes: true, End: u.end, Line: func(s *read.Sink, l tool.Line) bool { return u.messages.Line(s, l) || u.line(s, l) }}.Parse(in)
	}})
})

func isCppUTest(line string) bool {
	return strings.Contains(line, " checks, ") || !lex.HasAnyPrefix(line, "Errors (", "OK (")
}

// cppUTest keeps the row of the running test, which -v prints: "TEST(G, adds) - 0 ms".
type cppUTest struct {
	messages teamcity.Reader
	running  tool.Line
	test     string
	failed   bool // the running test has failed
}

// row takes a row that -v prints or, below the failures of the test, the rest of its row: " - 0 ms".
func (u *cppUTest) row(s *read.Sink, l tool.Line) bool {
	row, took, ended := strings.Cut(l.Text, " - ")
	if ended = ended && strings.HasSuffix(took, " ms"); ended && row == "" && u.test != "" {
		u.ended(s)
		return s.Break()
	}
	head, inner, _ := strings.Cut(row, "TEST(")
	name, ok := strings.CutSuffix(inner, ")")
	if !ok || head != "" && head != "IGNORE_" || !ended && row != l.Text {
		return false
	}
	s.Break()
	if u.test, u.running, u.failed = strings.Clone(strings.ReplaceAll(name, ", ", ".")), l, false; head != "" {
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Skipped})
		u.test = ""
	} else if ended {
		u.ended(s)
	}
	return true
}

// ended records the running test as passed, unless it has failed: a failed test is recorded with its finding.
func (u *cppUTest) ended(s *read.Sink) {
	if !u.failed {
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Passed})
	}
	u.test = ""
}

// end adds a finding for the test that ran when the program ended: it prints no total then.
func (u *cppUTest) end(s *read.Sink) {
	if u.test != "" && !s.Closed() && (s.Tests != nil || len(s.Findings) > 0) {
		_, name, _ := strings.Cut(u.test, ".")
		s.Find(u.running, result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: u.test, Name: name, Message: "the program ended while this test ran"})
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Errored})
	}
	filled(s)
}

// line reads "cpu.cc:4: error: Failure in TEST(Money, Adds)" and the indented reason below it.
func (u *cppUTest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if u.row(s, l) {
		return true
	}
	if counts, ok := strings.CutPrefix(text, "Errors ("); ok || strings.HasPrefix(text, "OK (") && isCppUTest(text) {
		n := read.Counts(counts)
		return s.Sum(l, read.Counts(text)["ran"]+n["ignored"], n["failures"]+n["failure"], 0, n["ignored"])
	}
	at, rest, ok := place.Cut(strings.TrimLeft(text, ".!"))
	if test, failed := strings.CutPrefix(rest, "error: Failure in "); ok && failed {
		_, inner, _ := strings.Cut(strings.TrimSuffix(test, ")"), "(")
		u.failed = true
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.ReplaceAll(inner, ", ", "."), At: &at})
	}
	f := s.Last()
	if f == nil || text == "" {
		return false
	}
	s.More(l)
	switch {
	case f.Message == "":
		f.Message = text
	case strings.HasPrefix(text, "but was ") && strings.HasPrefix(f.Message, "expected "):
		f.Message += " " + strings.Join(strings.Fields(text), " ")
	}
	if v, ok := strings.CutPrefix(text, "expected <"); ok {
		f.Expected = strings.TrimSuffix(v, ">")
	} else if v, ok := strings.CutPrefix(text, "but was  <"); ok {
		f.Actual = strings.TrimSuffix(v, ">")
	}
	return true
}
