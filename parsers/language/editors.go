package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("emacs", func(p *tool.Parser) {
	p.Is("ert", result.Test, 1, "ERT, the tests of Emacs 24 to 30 run in batch")
	p.Matches = func(argv []string) bool { return strings.Contains(strings.Join(argv, " "), "ert-run-tests-batch") }
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running … tests (", "Running … test ("}, Sniff: ertBegins, Parse: read.Fresh(func(e *ert) read.Text { return read.Text{Line: e.line, End: e.end} })})
})

func ertBegins(text string) bool {
	return strings.HasPrefix(text, "Running ") && strings.Contains(text, ", selector ")
}

// ert reads the condition of each failed test, and the test's row below it. The outcome is in capitals if it was not
// expected:
//
//	Test adds backtrace:
//	  signal(void-variable (c))
//	Test adds condition:
//	    (void-variable c)
//	   FAILED  1/3  adds (0.000154 sec) at a.el:4
//	   failed  2/3  known-bug (0.000050 sec)
//	Ran 3 tests, 2 results as expected, 1 unexpected (2026-11-27 08:03:23+0000, 1.393345 sec)
//	1 expected failures
type ert struct {
	why          []string // the words of the condition that is being read, or nil
	trace        bool     // a backtrace is being read
	began, ended bool     // the first line and the summary were read
}

func (e *ert) line(s *read.Sink, l tool.Line) bool {
	mark, row, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
	switch {
	case ertBegins(l.Text):
		e.began, s.Tested = true, true
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "Test "):
		e.trace = strings.HasSuffix(l.Text, " backtrace:")
		if strings.HasSuffix(l.Text, " condition:") {
			e.why = []string{}
		}
		return e.trace || e.why != nil || strings.HasSuffix(l.Text, " passed unexpectedly")
	case lex.IsOneOf(mark, "passed PASSED failed FAILED skipped SKIPPED ABORTED QUIT"):
		e.row(s, l, mark, strings.TrimSpace(row))
		return true
	case strings.HasPrefix(l.Text, "Ran ") && strings.Contains(l.Text, " as expected, "):
		e.summary(s, l.Text)
		return s.Close(l)
	case e.ended && strings.HasSuffix(l.Text, " expected failures"):
		n := read.Counts(strings.Replace(l.Text, "expected ", "", 1))["failures"]
		s.Count("passed", -n)
		s.Count("xfailed", n)
		return true
	case e.ended && (strings.HasSuffix(l.Text, " unexpected results:") || strings.HasSuffix(l.Text, " skipped results:")):
		return true
	case e.why != nil:
		e.why = append(e.why, strings.Fields(l.Text)...)
		return true
	}
	return e.trace
}

// row reads "1/3  adds (0.000154 sec) at a.el:4" behind its mark, "FAILED". Rows without "1/3", which name failed
// tests again below the summary, are passed over.
func (e *ert) row(s *read.Sink, l tool.Line, mark, row string) {
	number, rest, _ := strings.Cut(row, " ")
	name, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if name == "" || !strings.Contains(number, "/") {
		return
	}
	test := tool.Test{ID: name, Outcome: map[string]read.Outcome{"passed": read.Passed, "failed": read.XFailed, "skipped": read.Skipped, "SKIPPED": read.Skipped}[mark]}
	if test.Outcome == "" {
		test.Outcome = read.Failed
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, Message: "passed unexpectedly"}
		if mark != "PASSED" {
			f.Rule, f.Message = condition(e.why)
		}
		if _, at, ok := strings.Cut(rest, ") at "); ok {
			if at, _, ok := place.Cut(at + ": "); ok {
				f.At = &at
			}
		}
		s.Find(l, f)
		s.Break()
	}
	s.Ran(test)
	e.why, e.trace = nil, false
}

// condition returns the rule and the message of a signal. A failed assertion of the test,
// "(ert-test-failed ((should (= 4 5)) :form (= 4 5) :value nil))", has no rule; the rule of "(void-variable c)" is
// void-variable.
func condition(words []string) (rule, message string) {
	text := strings.Join(words, " ")
	if failed, ok := strings.CutPrefix(text, "(ert-test-failed "); ok {
		return "", strings.TrimSuffix(failed, ")")
	}
	rule, _, _ = strings.Cut(strings.Trim(text, "()"), " ")
	return rule, text
}

// summary reads "Ran 6 tests, 2 results as expected, 3 unexpected, 1 skipped (…)".
func (e *ert) summary(s *read.Sink, text string) {
	text, _, _ = strings.Cut(text, " (")
	s.Scores(read.Counts(strings.Replace(text, " results as expected", " passed", 1)), "passed: passed; failed: unexpected; skipped: skipped")
	e.ended = true
}

func (e *ert) end(s *read.Sink) {
	if e.began && !e.ended {
		s.Doubt = "the run ended before its summary"
	}
}

var _ = Room.Add("vim nvim | ex", func(p *tool.Parser) {
	p.Is("vim", result.Generic, 1, "Vim 8 and 9, Neovim 0.5 to 0.11 without a terminal: errors of scripts, which go on, and exit 0")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*vim).line))})
})

// vim reads errors of a script or a function. The line number stands on a line of its own above the error:
//
//	Error detected while processing /w/a.vim:
//	line    2:
//	E117: Unknown function: NoSuchFn
type vim struct {
	source string // the script or function that is processed, without its callers
	number int
}

func (v *vim) line(s *read.Sink, l tool.Line) bool {
	head, colon := strings.CutSuffix(strings.TrimSpace(l.Text), ":")
	rule, message, told := strings.Cut(l.Text, ": ")
	switch what, heads := strings.CutPrefix(head, "Error detected while processing "); {
	case heads && colon:
		v.source, v.number = innermost(what), 0
	case colon && strings.HasPrefix(head, "line ") && lex.IsDigits(strings.TrimSpace(head[5:])):
		v.number = lex.Atoi(strings.TrimSpace(head[5:]))
	case told && len(rule) > 1 && rule[0] == 'E' && lex.IsDigits(rule[1:]):
		return s.Find(l, v.finding(rule, message))
	case s.Last() != nil && (l.Text == "stack traceback:" || strings.HasPrefix(l.Text, "\t")):
		return s.More(l)
	default:
		return false
	}
	s.Break()
	return s.Sign(l)
}

// innermost returns the script or function that is processed, without its callers: "function Inner" for
// "command line..script /w/a.vim[7]..function Outer[1]..Inner".
func innermost(what string) string {
	_, inner, called := lex.CutLast(what, "]..")
	if !called {
		inner = strings.TrimPrefix(what, "command line..")
	}
	if inner = strings.TrimPrefix(inner, "script "); called && strings.Contains(what, "function ") && !strings.ContainsAny(inner, "/. ") {
		return "function " + inner
	}
	return inner
}

// finding returns an error in v.source. A script gives it a place; a function has a name, which becomes the id, and
// no file.
func (v *vim) finding(rule, message string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Rule: rule, Message: message}
	if name, ok := strings.CutPrefix(v.source, "function "); ok {
		f.ID, _, _ = strings.Cut(name, "[")
	} else if strings.ContainsAny(v.source, "/.") {
		f.At = &result.Location{Path: v.source, Line: v.number}
	}
	return f
}
