package c

import (
	"cmp"
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
			if s.Score(string(outcome), n); outcome == tool.Errored { // without -a, other tests have no line
				s.Claim(-n)
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
		return s.More(l) && (strings.Trim(l.Text, "-") != "" || l.Text == "" || s.Break()) // a row of dashes ends the trace
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

var _ = Room.Add("kyua", func(p *tool.Parser) {
	p.Is("kyua", result.Test, 1, "Kyua 0.13, the runner of ATF, TAP and plain tests: test, report, report --verbose")
	p.Exits = map[int]result.Meaning{2: result.MeansInternal, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Results file id is ", "===> Execution context", "===> Failed tests", "===> Broken tests"}, Named: true,
		Parse: read.Lines((*kyua).line)})
})

// kyua reads the verdicts and, in a report, the output of each test:
//
//	tests/version:max  ->  failed: atf-check failed; see the output of the test for details  [0.329s]
//	113/123 passed (10 failed)
//	===> tests/version:max
//	Standard output:
//	Executing command [ pkgconf --max-version 2.0 foo ]
//
//	Standard error:
//	Fail: incorrect exit status: 0, expected: 1
//	Test cases: 123 total, 0 skipped, 0 expected failures, 0 broken, 10 failed
type kyua struct {
	told map[string]int // number of each test's finding, from 1, or 0 without one; a report repeats verdicts
	test string         // the test whose output is being read
	part string         // the heading above, "Standard error:"
	ran  string         // the last command that the test ran
}

func (k *kyua) line(s *read.Sink, l tool.Line) bool {
	id, verdict, told := strings.Cut(l.Text, "  ->  ")
	name, heading := strings.CutPrefix(l.Text, "===> ")
	passed, closes := strings.CutSuffix(l.Text, " failed)")
	switch {
	case heading:
		k.test, k.part, k.ran = name, "", ""
		return s.Break()
	case told && strings.HasSuffix(verdict, "s]"):
		return k.verdict(s, l, id, verdict[:strings.LastIndexByte(verdict, '[')])
	case closes && strings.Contains(passed, " passed ("), strings.HasPrefix(l.Text, "Test cases: "):
		k.test = "" // output of a test does not follow
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Results file id is "), strings.HasPrefix(l.Text, "Results saved to "):
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "kyua: E: "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(l.Text, "kyua: E: ")})
	case k.test == "":
		return false
	case l.Text == "Standard output:" || l.Text == "Standard error:":
		k.part = l.Text
	case k.part != "" && l.Text != "":
		k.printed(s, l.Text)
	}
	return true
}

// verdict takes "failed: why" or "passed" for a test, once.
func (k *kyua) verdict(s *read.Sink, l tool.Line, id, verdict string) bool {
	word, why, _ := strings.Cut(strings.TrimSpace(verdict), ": ")
	outcome := read.Outcome(lex.Means(word, "passed: passed; failed: failed; error: broken; skipped: skipped; xfailed: expected_failure"))
	if _, again := k.told[id]; again || outcome == "" {
		return outcome != ""
	}
	lex.Put(&k.told, id, 0)
	s.Counted(tool.Test{ID: id, Outcome: outcome})
	if outcome != tool.Failed && outcome != tool.Errored {
		return s.Sign(l)
	}
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(outcome == tool.Errored), ID: id, Message: why}
	s.Claim(1)
	s.Find(l, f)
	if s.Last() != nil {
		k.told[id] = len(s.Findings)
	}
	return s.Break()
}

// printed takes a line of a test's output. The test's last command and first line of stderr say why it failed.
func (k *kyua) printed(s *read.Sink, text string) {
	if command, ok := strings.CutPrefix(text, "Executing command [ "); ok {
		k.ran = strings.TrimSuffix(command, " ]")
	} else if n := k.told[k.test]; n > 0 && k.part == "Standard error:" {
		f := &s.Findings[n-1]
		if f.Message = text; k.ran != "" {
			f.Message += ": " + k.ran
		}
		k.part = ""
	}
}

// longMessage is the length, in bytes, from which no further failure is added to the message of a test.
const longMessage = 300

// fail adds a failed test. Further failures of the same test add to the places and the message of its one finding,
// since the same id runs them all again.
func fail(s *read.Sink, l tool.Line, id string, at *result.Location, message string) {
	if n := len(s.Findings); n > 0 && s.Findings[n-1].ID == id && s.Last() != nil {
		f := s.Last()
		if s.More(l); at != nil && f.At == nil {
			f.At = at
		} else if at != nil && len(f.Locations) < 8 {
			f.Locations = append(f.Locations, *at)
		}
		if f.Message == "" {
			f.Message = message
		} else if message != "" && len(f.Message) < longMessage {
			f.Message += "; " + message
		}
		return
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, At: at, Message: message})
}

// filled gives each failure a message that begins with the section of the test: only a whole test can be run again.
func filled(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		f.Message = cmp.Or(f.Message, "failed")
		if _, section, ok := strings.Cut(f.ID, " > "); ok {
			f.Message = section + ": " + f.Message
		}
	}
}

// pipes counts "6 | 2 passed | 4 failed | 1 skipped", and Catch2's "failed as expected". It returns the failed ones.
func pipes(s *read.Sink, text string) {
	text = strings.NewReplacer("failed as expected", "xfailed", "|", ",").Replace(text)
	s.Scores(read.Counts(text), "passed: passed; failed: failed; skipped: skipped; xfailed: xfailed")
}

// failedPart returns the name in a line with which a test runner reports a failed test; "" for another line. It reads
// the output that a runner quotes, which no other parser reads.
func failedPart(text string) string {
	if mark, rest, ok := cutMark(text); ok && lex.IsOneOf(mark, "FAILED ERROR") { // args_test.clear (0 ms), and clear of cmocka
		name, time, _ := strings.Cut(rest, " (")
		if strings.HasSuffix(time, " ms)") || !strings.Contains(rest, " ") {
			return name
		}
	}
	if name, verdict, ok := strings.Cut(text, "  ->  "); ok && lex.HasAnyPrefix(verdict, "failed: ", "broken: ") { // of Kyua
		return name
	}
	if rest, ok := strings.CutPrefix(text, "not ok "); ok && !strings.Contains(rest, "# TODO") {
		_, name, _ := strings.Cut(rest, " - ")
		return name
	}
	if u, ok := cutUnity(text); ok && u.came == "FAIL" {
		return u.id
	}
	return ""
}

// failedParts returns those names in all lines as the end of a message: "; failed: a, b".
func failedParts(lines []string) (said string) {
	for _, line := range lines {
		if name := failedPart(strings.TrimSpace(line)); name != "" && len(said) < longMessage && !strings.Contains(said+",", ", "+name+",") {
			said += ", " + name
		}
	}
	if said != "" {
		said = "; failed: " + said[2:]
	}
	return said
}
