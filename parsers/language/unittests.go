package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("alcotest", result.Test, 1, "Alcotest 1.2 to 1.9, OCaml: the program's own text, also below dune")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This run has ID `"}, Parse: read.Fresh(func(a *alcotest) read.Text { return read.Text{Line: a.line, Closes: true} })})
})

// alcotest reads a row of each test: its suite, its number there, its name. The first that failed is shown again, in
// a box with its output below:
//
//	> [FAIL]        total          1   rebate.
//	│ [FAIL]        total          1   rebate.                                     │
//	ASSERT from ten on
type alcotest struct{ shown int } // the number of the finding whose output is read, from 1

func (a *alcotest) line(s *read.Sink, l tool.Line) bool {
	mark, rest, _ := strings.Cut(strings.TrimLeft(strings.Trim(l.Text, "│ "), "> ["), "]")
	came, ok := map[string]read.Outcome{"OK": tool.Passed, "FAIL": tool.Failed, "SKIP": tool.Skipped, "TODO": tool.Skipped}[mark]
	suite, rest, _ := strings.Cut(strings.TrimSpace(rest), "  ")
	number, name, named := strings.Cut(strings.TrimSpace(rest), "   ")
	id := suite + ": " + strings.TrimSuffix(name, ".")
	shown := 0
	if ok = ok && named && lex.IsDigits(number); ok && strings.HasPrefix(l.Text, "│ ") {
		shown = 1 + slices.IndexFunc(s.Findings, func(f result.Finding) bool { return f.ID == id })
	}
	switch {
	case shown > 0:
		a.shown = shown
	case ok: // with --compact the box is all that there is
		if s.Counted(tool.Test{ID: id, Outcome: came}); came == tool.Failed {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: mark})
		}
		if s.Break(); strings.HasPrefix(l.Text, "│ ") {
			a.shown = len(s.Findings)
		}
	case strings.Contains(l.Text, " test") && strings.HasSuffix(l.Text, " run."):
		s.Tested, a.shown = true, 0
		if failed, _, _ := strings.Cut(l.Text, " failure"); lex.IsDigits(failed) {
			s.Claim(lex.Atoi(failed))
		}
		return s.Close(l)
	case strings.HasPrefix(l.Text, "This run has ID `"):
		return s.Sign(l)
	case a.shown > 0:
		f := &s.Findings[a.shown-1]
		f.RawSpan.End = max(f.RawSpan.End, l.End)
		if text := strings.TrimSpace(l.Text); f.Message == "FAIL" && text != "" && !strings.HasPrefix(text, "└") {
			f.Message = strings.TrimPrefix(text, "ASSERT ")
		} else if key, value, pair := strings.Cut(text, ": "); pair && lex.IsOneOf(key, "Expected Received") {
			f.Message += "; " + key + ": " + value
		}
		if at, found := frame.OCaml(l.Text); found && f.At == nil && !at.External && !strings.Contains(l.Text, "Alcotest_engine") {
			f.At = &at
		}
	default:
		return false
	}
	return true
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("ounit", result.Test, 1, "OUnit 2, OCaml: the program's own text, also below dune")
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAILED: Cases: ", "OK: Cases: ", "Ran: … tests in: "}, Parse: read.Blocks{Take: takeOUnit, Other: ounitLine, Closes: true,
		Head: func(text string) (string, bool) {
			id, ok := strings.CutPrefix(text, "Error: ")
			return strings.TrimSuffix(id, "."), ok && strings.Contains(id, ":") && !strings.Contains(id, " (in the ")
		},
		Ends: func(text string) bool { return strings.HasPrefix(text, "----") },
	}.Parse})
})

// takeOUnit takes a failure: the place in the code or in OUnit's own log, a backtrace, and last the reason.
func takeOUnit(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title}
	for _, line := range b.Body {
		at, ok := frame.OCaml(line)
		if ok && f.At == nil && !at.External && !strings.Contains(line, "OUnit") {
			f.At = &at
		}
		if f.Message += line + " "; ok || strings.Contains(line, " (in the ") {
			f.Message = ""
		}
	}
	f.Message = strings.TrimSpace(f.Message)
	s.FindBlock(b, f)
}

// ounitLine reads "FAILED: Cases: 5 Tried: 5 Errors: 2 Failures: 1 Skip:  1 Todo: 0 Timeouts: 0." and the lines
// around it.
func ounitLine(s *read.Sink, l tool.Line) bool {
	if verdict, counts, ok := strings.Cut(l.Text, ": Cases: "); ok && lex.IsOneOf(verdict, "FAILED OK") {
		apart := strings.NewReplacer(" Errors", ",Errors", " Failures", ",Failures", " Skip", ",Skip", " Timeouts", ",Timeouts", " Todo", ",Todo", " Tried", ",Tried")
		n := read.CountsBehind("cases: " + apart.Replace(counts))
		return s.Sum(l, n["cases"], n["failures"], n["errors"]+n["timeouts"], n["skip"]+n["todo"])
	}
	if key, n, ok := strings.Cut(strings.TrimSuffix(l.Text, "."), ": "); ok && lex.IsOneOf(key, "Errors Failures Timeout") && lex.IsDigits(n) {
		s.Claim(lex.Atoi(n)) // with -verbose, each count has a line of its own
		return s.Sign(l)
	}
	return strings.HasPrefix(l.Text, "Ran: ") && s.Sign(l) || len(l.Text) > 70 && strings.Trim(l.Text, "=-") == "" && s.Sign(l)
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("quickcheck", result.Test, 1, "QuickCheck 2, Haskell, in the test suites that Cabal runs: properties that a value falsified, and suites that failed")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test suite logged to: ", "*** Failed! "}, Parse: read.Fresh(func(q *quickCheck) read.Text { return read.Text{Line: q.line} })})
})

// quickCheck reads a property with its name in front, and the values that falsified it:
//
//	divvy/evenly                  +++ OK, passed 200 tests.
//	split/empty delim             *** Failed! Falsified (after 2 tests):
//	['c']
//	Test suite split-tests: FAIL
//	0 of 1 test suites (0 of 1 test cases) passed.
type quickCheck struct {
	suite bool // a failed property of the suite was read
}

func (q *quickCheck) line(s *read.Sink, l tool.Line) bool {
	name, why, failed := strings.Cut(l.Text, "*** Failed! ")
	suite, verdict, ofSuite := strings.Cut(strings.TrimPrefix(l.Text, "Test suite "), ": ")
	proved, _, passed := strings.Cut(l.Text, "+++ OK, passed ")
	switch own := !strings.HasPrefix(l.Text, " "); { // tasty and hspec print what QuickCheck says below the test
	case passed && own:
		s.Break()
		s.Counted(tool.Test{ID: propertyName(proved), Outcome: read.Passed})
	case failed && own:
		s.Counted(tool.Test{ID: propertyName(name), Outcome: read.Failed})
		s.Claim(1)
		q.suite = true
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: propertyName(name), Message: strings.TrimSuffix(why, ":")})
	case ofSuite && strings.HasPrefix(l.Text, "Test suite ") && lex.IsOneOf(verdict, "FAIL PASS RUNNING..."):
		s.Break()
		if s.Sign(l); verdict == "FAIL" && !q.suite {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: suite, Message: "failed"})
			s.Break()
		}
		q.suite = false
	case strings.HasPrefix(l.Text, "Test suite logged to: "), strings.HasSuffix(l.Text, " test cases) passed."):
		return s.Close(l)
	case s.Last() != nil && s.Last().Kind == result.TestFailure && !strings.Contains(l.Text, ": user error ("):
		f := s.Last()
		if f.Detail == "" || len(f.Message) < 200 {
			f.Message += "; " + strings.TrimSpace(l.Text)
		}
		return s.More(l)
	default:
		return s.Break() && false
	}
	return true
}

// propertyName returns the name of a property: the text in front of its verdict, or "property" if that is empty.
func propertyName(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "property"
	}
	return text
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("tinytest", result.Test, 1, "tinytest 1.x, R: expectations that failed, side effects, the closing line")
	p.Reads(tool.Format{Name: "text", Starts: []string{"----- FAILED[", "----- SIDE-EFFECT["}, Parse: read.Fresh(func(t *tinytest) read.Text { return read.Text{Line: t.line} })})
})

// tinytest reads failed expectations. An expectation has no name: its code is its id.
//
//	----- FAILED[data]: test_file.R<11--11>
//	 call| expect_equal(42, 11, length(results))
//	 diff| Expected '11', got '42'
//	Showing 3 out of 159 results: 3 fails, 156 passes (0.3s)
type tinytest struct{ code string }

func (t *tinytest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	head, where, headed := strings.Cut(text, "]: ")
	field, value, _ := strings.Cut(text, "| ")
	switch {
	case headed && lex.HasAnyPrefix(head, "----- FAILED[", "----- SIDE-EFFECT["):
		path, lines, _ := strings.Cut(where, "<")
		_, rule, _ := strings.Cut(head, "[")
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Rule: rule, Message: "failed", At: &result.Location{Path: path, Line: lex.LeadingNumber(lines)}})
		t.code = ""
	case f != nil && field == "call":
		t.code = strings.TrimSpace(t.code + " " + strings.TrimSpace(value))
		f.ID = f.At.Path + ": " + t.code
		s.More(l)
	case f != nil && lex.IsOneOf(field, "diff info"):
		if f.Message == "failed" {
			f.Message = value
		}
		s.More(l)
	case strings.HasPrefix(text, "Showing ") && strings.Contains(text, " results: "):
		_, counts, _ := strings.Cut(text, " results: ")
		n := read.Counts(strings.NewReplacer(" fails", " failed", " passes", " passed").Replace(counts))
		return s.Sum(l, n["passed"]+n["failed"], n["failed"], 0, 0)
	default:
		return false
	}
	return true
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("tasty", result.Test, 1, "tasty 0.11 to 1.5, Haskell: the console reporter, whatever library the tests are of")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Use -p '", "All … tests passed ("}, Parse: read.Fresh(func(t *tasty) read.Text { return read.Text{Line: t.line, Closes: true} })})
})

// tasty reads a row of each test, below the names of its groups; two more blanks begin what a test says:
//
//	ledger
//	  parse whole:       FAIL (0.02s)
//	    test/Main.hs:19:
//	    expected: Right 1200
//	9 out of 17 tests failed (0.08s)
type tasty struct {
	groups []string
	test   int // the blanks before the row of the last test, and 1; 0 if a group is below it
}

func (t *tasty) line(s *read.Sink, l tool.Line) bool {
	text, blanks := strings.TrimSpace(l.Text), lex.LeadingBlanks(l.Text)
	name, verdict, _ := lex.CutLast(text, ": ")
	if word, took, timed := lex.CutLast(verdict, " ("); timed && strings.HasSuffix(took, "s)") {
		verdict = word
	}
	came, ok := map[string]read.Outcome{"OK": tool.Passed, "FAIL": tool.Failed, "TIMEOUT": tool.Failed, "PASS (unexpected)": tool.XPassed, "FAIL (expected)": tool.XFailed, "SKIP": tool.Skipped, "IGNORED": tool.Skipped}[strings.TrimSpace(verdict)]
	bad, all, failed := strings.Cut(text, " out of ")
	if !failed {
		bad, all, _ = strings.Cut("0 "+text, " All ")
	}
	n, how, _ := strings.Cut(all, " tests ")
	below := t.test > 0 && blanks >= t.test
	switch {
	case lex.IsDigits(bad) && lex.IsDigits(n) && lex.HasAnyPrefix(how, "failed (", "passed ("):
		return s.Sum(l, lex.Atoi(n), lex.Atoi(bad), 0, 0)
	case ok && !below:
		id := strings.Join(append(slices.Clone(t.groups[:min(blanks/2, len(t.groups))]), name), ".")
		t.test = blanks + 1
		if s.Ran(tool.Test{ID: id, Outcome: came}); came == tool.Failed || came == tool.XPassed {
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: strings.TrimSpace(verdict)})
		}
		return s.Break()
	case below && s.Last() != nil:
		f := s.Last()
		if at, rest, placed := place.CutPlace(text); placed && rest == "" && f.At == nil {
			f.At = &at
		} else if lex.IsOneOf(f.Message, "FAIL TIMEOUT") {
			f.Message = text
		} else if len(f.Message) < 200 && text != "" && !lex.HasAnyPrefix(text, "Use -", "CallStack ", "error, called at ") {
			f.Message += "; " + text
		}
		return s.More(l)
	case !below && text != "":
		t.groups, t.test = append(t.groups[:min(blanks/2, len(t.groups))], text), 0
		return s.Break() && false
	}
	return below
}
