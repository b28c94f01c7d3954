package jserror

import (
	"cmp"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// All test runners describe a failure in much the same form: the error, expected and actual value, an excerpt of
// the source, and the stack. Explain reads that text, without its indent.

// maxFailure bounds the lines kept of one failure.
const maxFailure = 400

// Text collects the lines of one failure.
type Text struct{ Lines []string }

// Add keeps a copy of a line.
func (f *Text) Add(line string) {
	if len(f.Lines) < maxFailure {
		f.Lines = append(f.Lines, strings.Clone(lex.CutText(line, lex.MaxHeadline)))
	}
}

// Explain sets message, rule, values and places of a finding from the lines of its text.
func Explain(f *result.Finding, lines []string) {
	e := explained{f: f}
	for _, line := range lines {
		e.line(line)
	}
	e.fill()
	rethrown(f, lines)
}

// rethrown reads an error in a template, which begins with the place and has the message below the source, as pug,
// stylus and ejs print it.
//
//	ParseError: css/a.styl:4:1
//	   1| body
//
//	failed to find closing paren
func rethrown(f *result.Finding, lines []string) {
	n := len(f.Message)
	if n == 0 || !lex.IsDigits(f.Message[n-1:]) {
		return
	}
	at, rest, ok := place.Cut(f.Message + ":")
	if !ok || rest != "" || !place.IsFile(at.Path) {
		return
	}
	excerpt := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		number, _, bar := strings.Cut(strings.TrimLeft(text, "> "), "|")
		excerpt = excerpt || bar && lex.IsDigits(strings.TrimSpace(number))
		if _, framed := Frame(text); framed {
			return
		}
		if excerpt && i > 0 && text != "" && strings.TrimSpace(lines[i-1]) == "" {
			f.At, f.Message = &at, text
			return
		}
	}
}

type explained struct {
	f       *result.Finding
	message []string
	stack   bool    // the stack has begun: the message cannot continue
	ended   bool    // the message is complete
	minus   *string // the value to which lines of a difference that begin with "-" belong
	plus    *string
	next    *string // the value that the next line gives
	below   bool    // the values are below their labels, as jest-dom and jest up to 22 print them
	loose   *string // the value of assert.deepEqual that is being read
	source  result.Location
	code    int  // the line marked in the excerpt
	cause   bool // the next lines describe the error that caused this one
	because bool // the next line is that error
	several bool // the errors of an AggregateError follow
}

func (e *explained) line(line string) {
	text := strings.TrimSpace(line)
	at, framed := Frame(text)
	if !framed && text != "" && e.ofCause(text) {
		return
	}
	switch {
	case text == "":
		e.ended = e.ended || len(e.message) > 0 && !strings.HasSuffix(e.message[len(e.message)-1], ":")
	case framed:
		e.stack, e.minus, e.plus = true, nil, nil
		if !at.External {
			e.f.Frames = append(e.f.Frames, at)
			e.placeCause(at)
		}
	case IsExcerpt(text):
		e.minus, e.plus = nil, nil
		if n := strings.TrimLeft(text, "> "); text[0] == '>' && e.code == 0 {
			e.code = lex.LeadingNumber(n)
		}
	case e.stack:
	case e.refines(text):
		e.message[0] += ": " + strings.TrimSuffix(text, ":")
	case e.next != nil:
		*e.next, e.next = text, nil
	case e.loosely(text):
	case e.difference(text) || e.value(text):
		e.ended = true
	default:
		e.prose(text)
	}
}

// maxCauses bounds the causes kept of one failure.
const maxCauses = 4

// ofCause reads the error that caused this one, as printed by node ("[cause]: Error: text"), vitest ("Caused by:
// Error: text") and jest ("Cause:", with the text below), and the errors of an AggregateError ("[errors]: [", each
// with its stack).
func (e *explained) ofCause(text string) bool {
	if text == "[errors]: [" && e.said() {
		e.several = true
		return true
	}
	if text == "Cause:" && e.said() {
		e.because, e.cause = true, true
		return true
	}
	thrown, named := lex.CutAnyPrefix(text, "[cause]: ", "Caused by: ")
	if named = named && e.said(); !named && !e.because && !(e.several && trace.IsThrown(text)) {
		return false
	}
	if !named {
		thrown = text
	}
	e.because, e.cause, e.ended = false, true, true
	thrown = strings.TrimPrefix(thrown, "Caused by: ") // vitest's annotations say it twice
	thrown = strings.TrimPrefix(strings.TrimSuffix(thrown, " {"), "Error: ")
	if len(e.f.Related) < maxCauses && thrown != "" && thrown != e.message[0] {
		e.f.Related = append(e.f.Related, result.Related{Message: result.CausedBy + thrown})
	}
	return true
}

// said reports whether a message was read.
func (e *explained) said() bool { return len(e.message) > 0 }

// placeCause gives the last cause the place of the first frame below it.
func (e *explained) placeCause(at result.Location) {
	if n := len(e.f.Related); e.cause && n > 0 && e.f.Related[n-1].At == nil {
		e.f.Related[n-1].At = &at
	}
}

// prose takes a line of the message.
func (e *explained) prose(text string) {
	text = BarePlace(text)
	if at, rest, ok := place.Cut(text); ok && e.source.Line == 0 && IsScript(at.Path) {
		e.source = at
		if rest == "" {
			return
		}
		if rest != "" && e.ended {
			e.message = append(e.message[:min(len(e.message), 1)], rest)
		}
	}
	if e.cause {
		return
	}
	if e.ended && isBoast(e.message) && trace.IsThrown(text) {
		e.message = []string{text}
	} else if !e.ended {
		e.message = append(e.message, text)
	}
}

// BarePlace removes what vite and parsers' excerpts put around a place: "File: /src/a.js:3:13", "At file:
// /src/a.js:3:13", "╭─[ src/a.ts:2:19 ]".
func BarePlace(text string) string {
	if rest, ok := lex.CutAnyPrefix(text, "File: ", "At file: ", "╭─[", ",-["); ok {
		return strings.TrimSpace(strings.TrimSuffix(rest, "]"))
	}
	return text
}

// refines reports whether a line says what was wrong with the value itself, as jest does below the call of the
// matcher:
//
//	expect(received).rejects.toThrow()
//
//	Received promise resolved instead of rejected
//	Resolved to value: 4
func (e *explained) refines(text string) bool {
	return e.ended && len(e.message) == 1 && strings.Contains(e.message[0], ").") && !strings.Contains(e.message[0], "): ") &&
		(strings.HasPrefix(text, "Matcher error: ") || strings.HasPrefix(text, "New snapshot was not written") || strings.HasPrefix(text, "Received ") && !strings.Contains(strings.TrimSuffix(text, ":"), ":"))
}

// loosely reads the two values that assert.deepEqual prints in full, separated by "should loosely deep-equal".
func (e *explained) loosely(text string) bool {
	switch {
	case len(e.message) != 1 || !strings.HasSuffix(e.message[0], " loosely deep-equal:"):
		return false
	case strings.HasPrefix(text, "should ") && strings.HasSuffix(text, " loosely deep-equal"):
		e.loose = &e.f.Expected
	default:
		e.loose = cmp.Or(e.loose, &e.f.Actual)
		e.part(e.loose, text)
	}
	return true
}

// Differing removes the lines that two values have in common at both ends.
func Differing(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 1 && len(y) > 1 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return strings.Join(x, "\n"), strings.Join(y, "\n")
}

// isBoast reports whether a message only says what the runner could not do, or is a line of source above a caret; the
// reason follows.
func isBoast(message []string) bool {
	if len(message) > 1 && message[1] != "" && strings.Trim(message[1], "^~") == "" {
		return true
	}
	return len(message) > 0 && strings.Contains(message[0], " encountered an unexpected token")
}

// difference reads the head and the lines of a difference.
func (e *explained) difference(text string) bool {
	expected, actual := &e.f.Expected, &e.f.Actual
	switch {
	case text == "- Expected:":
		e.next = expected
	case text == "+ Received:":
		e.next = actual
	case strings.HasPrefix(text, "- Expected"), strings.HasPrefix(text, "- Snapshot"):
		e.head(expected, actual)
	case strings.HasPrefix(text, "+ Received"):
	case strings.HasPrefix(text, "+ expected - actual"):
		e.head(actual, expected)
	case strings.HasPrefix(text, "+ actual - expected"), strings.HasPrefix(text, "Difference (- actual, + expected)"):
		e.head(expected, actual)
		if text[0] == 'D' {
			e.head(actual, expected)
		}
	case e.minus == nil:
		return false
	case text[0] == '-':
		e.part(e.minus, text[1:])
	case text[0] == '+':
		e.part(e.plus, text[1:])
	}
	return true
}

// head begins a new difference.
func (e *explained) head(minus, plus *string) {
	e.minus, e.plus = minus, plus
	*minus, *plus = "", ""
}

func (e *explained) part(value *string, text string) {
	if len(*value) > result.MaxValue {
		return
	}
	if *value != "" {
		*value += "\n"
	}
	*value += strings.TrimSpace(text)
}

// value reads "Expected: 5" or "Received string:    "a"".
func (e *explained) value(text string) bool {
	label, value, ok := strings.Cut(text, ":")
	if value = strings.TrimSpace(value); !ok || strings.Trim(label, "abcdefghijklmnopqrstuvwxyzERAS ") != "" {
		return false
	}
	to := &e.f.Actual
	switch word, what, _ := strings.Cut(label, " "); {
	case what == "precision", what == "difference":
		return true
	case word == "Expected", label == "Snapshot":
		to = &e.f.Expected
	case !lex.IsOneOf(word, "Received Actual Resolved Rejected"):
		return false
	}
	if value != "" {
		*to = value
	} else if e.below = (e.below || to == &e.f.Expected) && e.said() && strings.Contains(e.message[0], ")."); e.below {
		e.next = to
	}
	return value != "" || e.below
}

// fill sets the values and the message of the finding, after the last line.
func (e *explained) fill() {
	f := e.f
	if e.loose == &f.Expected {
		f.Expected, f.Actual = Differing(f.Expected, f.Actual)
	}
	for _, value := range [...]*string{&f.Expected, &f.Actual} {
		if !strings.Contains(*value, "\n") { // one line of an object says little
			*value = strings.TrimSuffix(*value, ",")
		}
	}
	message := strings.Join(e.message[:min(len(e.message), 1)], "")
	if len(e.message) > 1 && strings.HasSuffix(message, ":") {
		message += " " + e.message[1]
	}
	rule, text := CutClass(message)
	f.Rule = cmp.Or(f.Rule, rule)
	if at, rest, ok := CutSyntax(text); ok {
		e.source, text = at, rest
	}
	f.Message = cmp.Or(text, f.Message)
	switch {
	case e.source.Line > 0:
		f.At, f.Frames = &e.source, nil
	case len(f.Frames) > 0:
		at := f.Frames[0]
		f.At = &at
		if f.Frames = f.Frames[1:]; len(f.Frames) == 0 {
			f.Frames = nil
		}
	case f.At != nil && f.At.Line == 0:
		f.At.Line = e.code
	}
}

// More adds a line to the message of the error that ended a tool; it returns false once the stack begins.
func More(f *result.Finding, line string) {
	text := strings.TrimSpace(line)
	if _, framed := Frame(text); framed || text == "" || len(f.Message) > 300 || strings.Contains(f.Detail, "\n    at ") || text[0] == '}' || text[0] == '^' {
		return
	}
	if text == "Stack trace" || text == "Require stack:" || strings.HasPrefix(text, "- /") || strings.HasSuffix(text, ": "+f.Message) { // the stack repeats the message
		return
	}
	f.Message += " " + text
}

// Frame reads a line of a stack. A frame outside of all functions gets no function.
func Frame(text string) (at result.Location, ok bool) {
	if at, ok = frame.JavaScript(text); at.Function == "Object.<anonymous>" {
		at.Function = ""
	}
	return at, ok
}

// IsExcerpt recognises lines of source as runners show them: "> 4 |   expect(…)", "    |   ^", " 3| let", "2:
// const".
func IsExcerpt(text string) bool {
	return trace.IsFrameSource(text) || trace.IsFrameSource(strings.ReplaceAll(text, "│", "|"))
}

// IsScript reports whether a path is one of a source file that these runners load.
func IsScript(path string) bool {
	i := strings.LastIndexByte(path, '.')
	return i > 0 && lex.IsOneOf(path[i+1:], "js ts jsx tsx mjs cjs mts cts vue svelte css json") && !strings.Contains(path, "node_modules")
}

// CutClass removes the class of the error from a message: "TypeError: x", "AssertionError [ERR_ASSERTION]: x". The
// class Error, which says nothing, is dropped.
func CutClass(message string) (class, text string) {
	for {
		name, rest, ok := strings.Cut(strings.TrimPrefix(message, "Uncaught "), ": ")
		name, _, _ = strings.Cut(name, " [")
		if !ok || !lex.IsIdentifier(name) || !strings.HasSuffix(name, "Error") && !strings.HasSuffix(name, "Exception") {
			return class, message
		}
		if message = rest; name != "Error" {
			class = name
		}
	}
}

// CutSyntax reads "path: what is wrong (2:11)", the form of babel and prettier; babel's columns are counted from 0.
func CutSyntax(text string) (at result.Location, rest string, ok bool) {
	i := strings.LastIndex(text, " (")
	if i < 0 || !strings.HasSuffix(text, ")") {
		return at, text, false
	}
	line, column, ok := strings.Cut(text[i+2:len(text)-1], ":")
	path, message, named := strings.Cut(text[:i], ": ")
	if !ok || !named || !lex.IsDigits(line) || !lex.IsDigits(column) || !IsScript(path) {
		return at, text, false
	}
	return result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column) + 1}, message, true
}
