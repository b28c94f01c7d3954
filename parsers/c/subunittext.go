package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// subunitText reads version 1 of subunit, which cmocka and Check write:
//
//	test: adds
//	failure: adds [
//	0x3 != 0x2
//	cm.c:8: error: Failure!
//	]
//
// A verdict counts only for the test that began last. There is no closing line.
type subunitText struct {
	running tool.Line
	test    string
	text    bool // inside the reason of a failure, which ends with "]"
	came    read.Outcome
}

func parseSubunitText(in *tool.Input) *tool.Report {
	t := &subunitText{}
	rep := read.Text{Line: t.line, End: t.end}.Parse(in)
	if rep == nil || !rep.Tested {
		return nil
	}
	return rep
}

var subunitOutcomes = map[string]read.Outcome{
	"success": tool.Passed, "successful": tool.Passed, "failure": tool.Failed, "error": tool.Errored, "skip": tool.Skipped,
	"xfail": tool.XFailed, "uxsuccess": tool.XPassed,
}

func (t *subunitText) line(s *read.Sink, l tool.Line) bool {
	if t.text {
		if l.Text == "]" {
			t.text = false
			s.Reach(l)
			return s.Break()
		}
		t.reason(s, l, l.Text)
		return true
	}
	word, rest, ok := strings.Cut(l.Text, ": ")
	if !ok {
		return false
	}
	if word == "test" || word == "testing" {
		t.test, t.running = strings.Clone(rest), l
		return s.Cover(l)
	}
	came, known := subunitOutcomes[word]
	name, reason, open := strings.Cut(rest, " [")
	if !known || name != t.test || name == "" {
		return false
	}
	t.test = ""
	s.Counted(tool.Test{ID: name, Outcome: came})
	if came.Bad() || came == tool.XPassed {
		f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(came == tool.Errored), ID: name, Message: "failed"}
		s.Find(l, f)
	}
	reason, closed := strings.CutSuffix(reason, "]")
	if t.came, t.text = came, open && !closed; closed && strings.TrimSpace(reason) != "" {
		t.reason(s, l, strings.TrimPrefix(strings.TrimSpace(reason), "Could not run test: "))
	}
	return s.Cover(l)
}

// reason takes a line of the reason of a failure. The first line is the message; the first line with a place has the
// finding's place.
func (t *subunitText) reason(s *read.Sink, l tool.Line, text string) {
	s.Cover(l)
	f := s.Last()
	if f == nil || !t.came.Bad() {
		return
	}
	at, rest, placed := place.Cut(text)
	if placed && f.At == nil {
		f.At = &at
	}
	if placed {
		text = rest
	}
	if f.Message == "failed" && text != "" {
		f.Message = strings.Clone(text)
	}
	s.MoreText(l, text)
}

// end adds a finding for the test that ran when the program ended.
func (t *subunitText) end(s *read.Sink) {
	if t.test == "" || !s.Tested {
		return
	}
	s.Break()
	s.Find(t.running, result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: t.test, Message: "the program ended while this test ran"})
	s.Counted(tool.Test{ID: t.test, Outcome: tool.Errored})
}
