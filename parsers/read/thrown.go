package read

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// thrown reads an exception of JavaScript or Java that an unknown program prints with its stack, among other
// output:
//
//	TypeError: Cannot read properties of undefined (reading 'find')
//	    at check (/home/me/src/rules.js:52:47)
//
// Only the stack frame proves an exception. Its place is the first frame that is not in a library.
type thrown struct {
	head tool.Line // a line that may name an exception
	wait int       // how many more lines may precede a frame
	open bool      // inside the stack
}

// maxThrown bounds the lines between the class of an exception and its stack.
const maxThrown = 3

func (t *thrown) line(s *Sink, l tool.Line, text string) bool {
	said := strings.TrimLeft(text, " \t")
	if t.open && t.goesOn(s, l, said) {
		return true
	}
	if !strings.HasPrefix(said, "at ") || len(said) == len(text) {
		t.open = false
		if t.wait--; isThrown(said) {
			t.head, t.wait = l, maxThrown
			t.head.Text = strings.Clone(said)
		}
		return false
	}
	at, ok := frame.Cut(said)
	switch {
	case !ok:
		return t.open
	case t.wait > 0:
		class, message, _ := strings.Cut(t.head.Text, ": ")
		f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: lex.LastPart(class), Message: message}
		if class != f.Rule && !strings.HasPrefix(class, "java.") {
			f.RuleName = class
		}
		s.Find(t.head, f)
		t.wait, t.open = 0, true
	}
	if last := s.kept(); t.open && last != nil {
		if last.At == nil && !at.External && at.Line > 0 {
			frame.InPackage(&at)
			last.At = &at
		}
		s.More(l)
	}
	return t.open
}

// maxCauses bounds the causes kept of one exception; the last is the original one.
const maxCauses = 8

// goesOn reads two kinds of lines between the frames of Java: a cause, and how many frames are left out.
func (t *thrown) goesOn(s *Sink, l tool.Line, said string) bool {
	cause, caused := strings.CutPrefix(said, "Caused by: ")
	last := s.kept()
	if last == nil || !caused && !strings.HasPrefix(said, "... ") {
		return false
	}
	if caused {
		last.Related = append(last.Related[:min(len(last.Related), maxCauses-1)], result.Related{Message: result.CausedBy + lex.Clip(cause)})
	}
	return s.More(l)
}

// isThrown recognises "TypeError: text" and "java.nio.file.NoSuchFileException: a.jar". The word Error alone has a
// form of its own.
func isThrown(text string) bool {
	class, message, ok := strings.Cut(text, ": ")
	if !ok || message == "" || class == "Error" || !strings.HasSuffix(class, "Error") && !strings.HasSuffix(class, "Exception") {
		return false
	}
	return lex.IsIdentifier(strings.ReplaceAll(class, ".", ""))
}
