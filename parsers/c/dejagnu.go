package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("runtest", func(p *tool.Parser) {
	p.Is("dejagnu", result.Test, 1, "DejaGnu 1.6: what fails, -a, errors of Tcl; the test suites of GCC, GDB and binutils")
	p.Family = "runtest"
	p.Reads(tool.Format{Name: "text", Starts: []string{"# of expected passes", "# of unexpected failures", "Schedule of variations:"}, Named: true, Parse: read.Text{
		Line: dejaLine, Closes: true, Usage: []string{"Illegal Argument ", "ERROR: Couldn't find "},
	}.Parse})
})

// dejaOutcome returns the outcome for a word before a test's name, "FAIL: gcc.dg/a.c", or for a row of the summary,
// "# of unexpected failures  1".
func dejaOutcome(said string) (outcome read.Outcome, ok bool) {
	switch said {
	case "PASS", "expected passes":
		return read.Passed, true
	case "FAIL", "unexpected failures":
		return read.Failed, true
	case "XPASS", "KPASS", "unexpected successes", "unknown successes":
		return read.XPassed, true
	case "XFAIL", "KFAIL", "expected failures", "known failures":
		return read.XFailed, true
	case "UNRESOLVED", "unresolved testcases":
		return read.Errored, true
	case "UNTESTED", "UNSUPPORTED", "untested testcases", "unsupported tests":
		return read.Skipped, true
	}
	return "", false
}

func dejaLine(s *read.Sink, l tool.Line) bool {
	if counted, ok := strings.CutPrefix(l.Text, "# of "); ok {
		what := strings.TrimRight(counted, "0123456789")
		outcome, known := dejaOutcome(strings.TrimSpace(what))
		if n := lex.Atoi(counted[len(what):]); known {
			s.Count(string(outcome), n)
			if outcome == tool.Failed || outcome == tool.XPassed { // without -a, other tests have no line
				s.Claim(n)
			}
			s.Tested = true
		}
		return s.Close(l)
	}
	word, text, ok := strings.Cut(l.Text, ": ")
	outcome, told := dejaOutcome(word)
	switch f := s.Last(); {
	case ok && told:
		return dejaTest(s, l, outcome, text)
	case word == "ERROR" && f != nil && f.Kind == result.GenericFinding:
		return s.More(l)
	case word == "ERROR":
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	case l.Text == "Excess errors:", strings.HasPrefix(l.Text, "WARNING: "), strings.HasPrefix(l.Text, "\t\t=== "), strings.HasPrefix(l.Text, "Running "):
		return s.Break()
	case f != nil && f.Kind == result.GenericFinding:
		if path, line, found := cutTclFile(strings.TrimSpace(l.Text)); found && f.At == nil {
			f.At = &result.Location{Path: path, Line: line}
		}
		return s.More(l)
	}
	return false
}

// dejaTest takes "FAIL: gcc.dg/a.c (test for excess errors)". A test unresolved by an error of Tcl has its file's name.
func dejaTest(s *read.Sink, l tool.Line, outcome read.Outcome, id string) bool {
	s.Ran(tool.Test{ID: id, Outcome: outcome})
	s.Break()
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: strings.ToLower(l.Text[:strings.IndexByte(l.Text, ':')])}
	switch outcome {
	case tool.Errored:
		f.Severity = result.SevError
	case tool.Failed, tool.XPassed:
	default:
		return true
	}
	s.Find(l, f)
	return s.Break()
}

// cutTclFile reads `(file "./a.exp" line 6)`.
func cutTclFile(text string) (path string, line int, ok bool) {
	rest, ok := strings.CutPrefix(text, `(file "`)
	path, number, found := strings.Cut(rest, `" line `)
	return path, lex.LeadingNumber(number), ok && found
}
