package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The Lisps in this file stop at an unhandled condition. Their backtraces show the system's own code, and give no place
// in the program.

var _ = Room.Add("sbcl", func(p *tool.Parser) {
	p.Is("sbcl", result.Generic, 1, "SBCL 2.x: --script, --load, compile-file and a program on stdin: warnings of the compiler, the condition that stopped it, and the tests of RT that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*sbcl).line))})
})

// sbcl reads messages of the compiler, and the condition that stopped a program:
//
//	; file: /home/dev/a.lisp
//	; caught WARNING:
//	;   Constant "a" conflicts with its asserted type NUMBER.
//	While evaluating the form starting at line 2, column 0
//	  of #P"/home/dev/c.lisp":
//	Unhandled SIMPLE-ERROR in thread #<SB-THREAD:THREAD "main thread" RUNNING>:
//	  no such 3
type sbcl struct {
	at      *result.Location // the place of the form that is being loaded
	file    string           // the file that is being compiled
	caught  string           // the severity of the compiler's next message
	message bool             // the message of a condition is being read
	traced  bool
	rt      lispTests
}

func (c *sbcl) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch f := s.Last(); {
	case c.rt.line(s, l):
	case strings.HasPrefix(l.Text, "; file: "):
		c.file = l.Text[8:]
	case strings.HasPrefix(l.Text, "; caught "):
		c.caught = strings.ToLower(strings.TrimSuffix(l.Text[9:], ":"))
	case c.caught != "" && strings.HasPrefix(l.Text, ";   "):
		c.found(s, l, strings.TrimSpace(l.Text[1:]))
	case strings.HasPrefix(l.Text, "While evaluating the form starting at line "):
		line, column, _ := strings.Cut(l.Text[len("While evaluating the form starting at line "):], ", column ")
		c.at = &result.Location{Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column) + 1}
	case c.at != nil && strings.HasPrefix(text, `of #P"`):
		c.at.Path = strings.TrimSuffix(text[len(`of #P"`):], `":`)
	case unhandled(l.Text) != "":
		f := result.Finding{Kind: result.Panic, Rule: unhandled(l.Text), Message: l.Text}
		if c.at != nil && c.at.Path != "" {
			f.At = c.at
		}
		s.Find(l, f)
		c.message = true
	case strings.HasPrefix(l.Text, "Backtrace for: "):
		s.Break()
		c.traced = true
	case strings.HasPrefix(l.Text, "Type HELP for debugger help"):
		s.Break()
		c.message = false
	case c.traced || strings.HasPrefix(l.Text, ";"):
	case f == nil || !c.message:
		return false
	default:
		c.below(f, text)
		s.More(l)
	}
	return true
}

// unhandled returns the condition in "Unhandled TYPE-ERROR in thread …" and, for a program on stdin, in "debugger
// invoked on a TYPE-ERROR @52A3B3D9 in thread"; "" for any other text.
func unhandled(text string) string {
	what, _, thread := strings.Cut(text, " in thread")
	if rule, ok := lex.CutAnyPrefix(what, "Unhandled ", "debugger invoked on a ", "debugger invoked on an "); ok && thread {
		rule, _, _ = strings.Cut(rule, " @")
		return rule
	}
	return ""
}

// found adds a message of the compiler, placed at the file that is being compiled.
func (c *sbcl) found(s *read.Sink, l tool.Line, message string) {
	f := result.Finding{Severity: read.SeverityOf(c.caught), RawSeverity: c.caught, Message: message}
	if c.caught == "style-warning" {
		f.Severity = result.SevWarning
	}
	if c.file != "" {
		f.At = &result.Location{Path: c.file}
	}
	s.Find(l, f)
	s.Break()
	c.caught = ""
}

// below looks in a line of a condition's message for the place that the Lisp reader had reached:
// `FD-STREAM for "file a.lisp"` and "(in form starting at line: 3".
func (c *sbcl) below(f *result.Finding, text string) {
	_, file, ok := strings.Cut(text, `FD-STREAM for "file `)
	if path, _, quoted := strings.Cut(file, `"`); ok && quoted {
		f.At = &result.Location{Path: path}
	}
	if _, where, ok := strings.Cut(text, "(in form starting at line: "); ok && f.At != nil {
		f.At.Line = lex.LeadingNumber(where)
	}
	switch {
	case text == "" || strings.HasSuffix(text, "}>:"):
	case unhandled(f.Message) != "":
		f.Message = text
	case strings.HasSuffix(f.Message, ":"), strings.HasPrefix(f.Message, "The value") && !strings.HasPrefix(text, "Stream: "):
		f.Message += " " + text
	}
}

// lispTests reads RT, the regression tester of Common Lisp. The values of a failed test may take several lines:
//
//	Test ALEXANDRIA-TESTS::CLAMP.1 failed
//	Form: (LIST (ALEXANDRIA:CLAMP 1.5 1 2))
//	Expected value: (1.5)
//	Actual value: (2).
//	2 out of 249 total tests failed: ALEXANDRIA-TESTS::CLAMP.1, …
type lispTests struct {
	value *string // the field of the last finding that the next lines continue, or nil
}

func (t *lispTests) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	name, failed := strings.CutSuffix(strings.TrimPrefix(l.Text, "Test "), " failed")
	bad, rest, counted := strings.Cut(l.Text, " out of ")
	total, _, counts := strings.Cut(rest, " total tests failed")
	switch {
	case failed && strings.HasPrefix(l.Text, "Test ") && !strings.Contains(name, " "):
		t.value = nil
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: "failed"})
	case counted && counts && lex.IsDigits(bad) && lex.IsDigits(total):
		return s.Sum(l, lex.Atoi(total), lex.Atoi(bad), 0, 0)
	case strings.HasPrefix(l.Text, "No tests failed."):
		return s.Close(l)
	case f == nil || f.Kind != result.TestFailure:
		return false
	}
	for _, field := range []struct {
		head string
		to   *string
	}{{"Form: ", new(string)}, {"Expected value: ", &f.Expected}, {"Actual value: ", &f.Actual}} {
		if text, ok := strings.CutPrefix(l.Text, field.head); ok {
			*field.to, t.value = text, field.to
			return t.more(s, l)
		}
	}
	if t.value == nil || len(*t.value) > lex.MaxRest {
		return false
	}
	*t.value += " " + strings.TrimSpace(l.Text)
	return t.more(s, l)
}

// more adds a line to the last test. A full stop ends the actual value, and with it the test.
func (t *lispTests) more(s *read.Sink, l tool.Line) bool {
	s.More(l)
	if f := s.Last(); t.value == &f.Actual && strings.HasSuffix(f.Actual, ".") {
		f.Actual = strings.TrimSuffix(f.Actual, ".")
		t.value = nil
		return s.Break()
	}
	return true
}
