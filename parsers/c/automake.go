package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("automake", result.Test, 1, "make check of Automake 1.12 to 1.17: the parallel harness, with VERBOSE=1 its test-suite.log")
	p.Matches = noProgram
	p.Reads(tool.Format{Name: "text", Starts: []string{"Testsuite summary for "}, Parse: read.Fresh(func(a *automake) read.Text {
		a.text.Max = maxLogged
		return read.Text{Line: a.line, End: a.logged}
	})})
})

// automake reads a verdict per line, the log of the failed tests if it is printed, and a summary per directory:
//
//	FAIL: testit.sh
//	   popt 1.19: tests/test-suite.log
//	FAIL: testit.sh
//	===============
//	FAIL: test1 - 18: got "x", which the test itself prints
//	FAIL testit.sh (exit status: 2)
//
//	Testsuite summary for popt 1.19
//	# FAIL:  1
type automake struct {
	summary bool   // the rows of a summary follow
	log     bool   // inside the log of the failed tests
	above   string // the line above; a line of "=" below it makes it a heading of the log
	text    lex.Bounded
	at      map[string]int // number of a test's finding, from 1, by the name of the test
	of      string         // the test whose log is being read
}

// maxLogged is the maximum size of the log that is kept of one test, in bytes.
const maxLogged = 32 << 10

// automakeOutcome returns the outcome for a word before a test's name, or before a count; "" for another word.
func automakeOutcome(word string) string {
	return lex.Means(word, "passed: PASS; failed: FAIL; error: ERROR; skipped: SKIP; xfailed: XFAIL; xpassed: XPASS")
}

func (a *automake) line(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(strings.TrimPrefix(l.Text, "# "), ":")
	outcome, name := automakeOutcome(word), strings.TrimSpace(rest)
	above := a.above
	a.above = l.Text
	switch {
	case strings.HasPrefix(l.Text, "Testsuite summary for "):
		a.logged(s)
		a.summary, a.log = true, false
		return s.Close(l)
	case a.summary && strings.HasPrefix(l.Text, "# ") && outcome != "" && lex.IsDigits(name):
		n := lex.Atoi(name)
		s.Count(outcome, n)
		if outcome == "failed" || outcome == "error" || outcome == "xpassed" {
			s.Claim(n)
		}
		return s.Ended(l)
	case strings.HasSuffix(l.Text, "/test-suite.log") && strings.HasPrefix(l.Text, "   "), l.Text == ".. contents:: :depth: 2":
		a.log, a.summary = true, false
	case a.log && len(l.Text) > 4 && strings.Trim(l.Text, "=") == "" && len(l.Text) == len(above) && strings.Contains(above, ": "):
		a.logged(s)
		_, a.of, _ = strings.Cut(above, ": ")
	case a.log:
		a.text.Add(l.Text, nil)
		return a.at[a.of] > 0
	case outcome != "" && name != "" && !strings.HasPrefix(l.Text, "# "):
		a.summary = false
		return a.verdict(s, l, read.Outcome(outcome), name)
	default:
		return false
	}
	return true
}

func (a *automake) verdict(s *read.Sink, l tool.Line, outcome read.Outcome, name string) bool {
	s.Ran(tool.Test{ID: name, Outcome: outcome})
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: strings.ToLower(l.Text[:strings.IndexByte(l.Text, ':')])}
	switch outcome {
	case tool.Errored:
		f.Severity = result.SevError
	case tool.Failed, tool.XPassed:
	default:
		return s.Sign(l)
	}
	s.Find(l, f)
	if s.Last() != nil {
		if a.at == nil {
			a.at = map[string]int{}
		}
		a.at[name] = len(s.Findings)
	}
	return s.Break()
}

// logged completes a finding from its test's log: by the last line with a place, or else by the failed checks.
func (a *automake) logged(s *read.Sink) {
	lines, n := a.text.Lines(), a.at[a.of]
	a.text, a.of = lex.Bounded{Max: maxLogged}, ""
	if n == 0 || len(lines) == 0 {
		return
	}
	f := &s.Findings[n-1]
	f.Detail = lex.Clip(strings.Join(lines, "\n"))
	if at, said := lastPlace(lines); at != nil {
		f.At, f.Message = at, f.Message+": "+said
		return
	}
	var bad []string
	for _, line := range lines {
		if lex.HasAnyPrefix(line, "FAIL: ", "FAIL - ", "not ok ", "FAILED: ") && len(bad) < 5 {
			bad = append(bad, line)
		}
	}
	if len(bad) > 0 {
		f.Message += ": " + strings.Join(bad, "; ")
	} else if said := read.Reason(lines); said != "" {
		f.Message += ": " + said
	}
}
