package pytest

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
)

// internal reads the traceback behind "INTERNALERROR> ".
func (t *pytestTroubles) internal(line string) bool {
	text, ok := strings.CutPrefix(line, "INTERNALERROR> ")
	if !ok {
		return strings.HasPrefix(line, "INTERNALERROR>")
	}
	return t.traceback(text)
}

// traceback reads a native traceback: the last line in the first column that
// is no heading is the message.
func (t *pytestTroubles) traceback(text string) bool {
	o := t.open
	switch {
	case text == "" || strings.HasPrefix(text, "Traceback (most recent call last):"), text == causedBy, text == during:
		return true
	case text[0] == ' ':
		if at, ok := frame.Python(text); ok {
			if o.err.set { // a new traceback of the chain
				o.err.frames, o.err.set, o.err.source = nil, false, ""
			}
			o.err.frame(at)
		} else if strings.Trim(text, " ^~") != "" && !o.err.set {
			o.err.source = lex.CutText(strings.TrimSpace(text), lex.MaxSource)
		}
		return true
	case len(o.err.frames) == 0, o.err.set && o.kind == troubleTraceback:
		return false
	}
	if !o.err.set {
		o.err.set, o.err.message = true, text
	}
	return true
}

// fatal reads faulthandler's threads; the one that crashed is the current one.
func (t *pytestTroubles) fatal(text string) bool {
	o := t.open
	switch {
	case text == "":
		return true
	case strings.HasPrefix(text, "Current thread ") && strings.Contains(text, "(most recent call first):"):
		o.current, o.err.frames = true, nil
	case strings.HasPrefix(text, "Thread ") && strings.Contains(text, "(most recent call first):"):
		o.current = false
	case lex.HasAnyPrefix(text, "Current thread's C stack trace", "Extension modules: ", "  Binary file ", "  <", "  ..."):
	case strings.HasPrefix(text, `  File "`):
		if at, ok := frame.Python(text); ok && (o.current || len(o.err.frames) == 0) {
			o.err.frame(at)
		}
	default:
		return false
	}
	return true
}

// stacks reads the dump of pytest-timeout up to the rule that closes it; the main
// thread runs the test, and where it is not among them the test is told to fail and
// the run goes on.
func (t *pytestTroubles) stacks(text string) bool {
	o := t.open
	if o.over {
		return false
	}
	o.over = isTimeoutRule(text)
	if strings.Contains(text, "~ Stack of ") {
		o.current = strings.Contains(text, "~ Stack of MainThread ")
	}
	if at, ok := frame.Python(text); ok && o.current {
		o.err.frame(at)
	}
	return true
}

// conftest reads the short traceback of a conftest.py that cannot be imported.
func (t *pytestTroubles) conftest(text string) bool {
	o := t.open
	if text == "" {
		return false
	}
	at, rest, ok := place.CutPlace(text)
	switch {
	case strings.HasPrefix(text, "E   "):
		msg := strings.TrimSpace(text[1:])
		first := !o.err.set
		if first {
			o.err.set, o.err.message = true, msg
		}
		if !o.err.syntax(msg, t.files) && !first {
			o.err.rest.Add(text[4:], nil)
		}
	case ok && strings.HasPrefix(rest, "in "):
		at.Function = rest[len("in "):]
		o.err.frame(at)
		o.err.source = ""
	case text[0] == ' ':
		if o.err.source == "" {
			o.err.source = lex.CutText(strings.TrimSpace(text), lex.MaxSource)
		}
	default:
		return false
	}
	return true
}
