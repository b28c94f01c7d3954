package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// rustPanic is what Rust's runtime prints when a thread panics. Since 1.73 the place comes first, since 1.91 with the
// thread's id:
//
//	thread 'tests::x' (27338) panicked at src/lib.rs:61:9:
//	assertion `left == right` failed: custom message
//	  left: 1
//	 right: 2
//	note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
//
// before that the message came first, in quotes, perhaps on several lines:
//
//	thread 'tests::x' panicked at 'assertion failed: `(left == right)`
//	  left: `1`,
//	 right: `2`: custom message', src/lib.rs:61:9
type rustPanic struct {
	thread     string
	at         *result.Location
	message    []string
	frames     []result.Location
	start, end int64
	before     string // "Error: …", if the line before begins so

	old    bool // the place has not come yet; it follows the closing quote
	hook   bool // in color-eyre's format: see rustHook
	spans  bool // a list of spans of the crate tracing is being read
	stack  bool // "stack backtrace:" was read
	closed bool
	fn     string // function whose place comes on the next line
}

const (
	maxPanicLines = 200
	maxRustFrames = 64
)

// readRustPanic reads the first line of a panic. Program output without a newline may precede it.
func readRustPanic(s string) (p rustPanic, ok bool) {
	i := strings.Index(s, "thread ")
	if i < 0 {
		p.hook = strings.HasSuffix(s, rustHook)
		return p, p.hook
	}
	name, rest, ok := cutRustThread(s[i+len("thread "):])
	if !ok {
		return p, false
	}
	if rest, ok = strings.CutPrefix(rest, " panicked at "); !ok {
		return p, false
	}
	p.thread = name
	if quoted, ok := strings.CutPrefix(rest, "'"); ok {
		p.old = true
		p.oldLine(quoted)
		return p, true
	}
	at, ok := cutRustcPosition(strings.TrimSuffix(rest, ":"))
	if i := strings.LastIndex(rest, ", "); !ok && i >= 0 { // "Box<Any>, src/lib.rs:3:5", an old panic without quotes
		p.message, p.closed = []string{rest[:i]}, true
		at, ok = cutRustcPosition(rest[i+2:])
	}
	p.at = &at
	return p, ok
}

// cutRustThread reads "'name' (27338)" or "<unnamed>".
func cutRustThread(s string) (name, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, "'"); ok {
		end := strings.Index(rest, "' ")
		if end < 0 {
			return "", "", false
		}
		name, rest = rest[:end], rest[end+1:]
	} else if rest, ok = strings.CutPrefix(s, "<unnamed>"); ok {
		name = "<unnamed>"
	} else {
		return "", "", false
	}
	if id, after, found := strings.Cut(rest, ")"); found && strings.HasPrefix(id, " (") && strings.Trim(id[2:], "0123456789") == "" {
		rest = after
	}
	return name, rest, true
}

// cutOverflow reads "thread 'x' (27338) has overflowed its stack"; dead is the line without the thread's id.
func cutOverflow(s string) (dead, thread string) {
	rest, ok := strings.CutPrefix(s, "thread ")
	thread, what, named := cutRustThread(rest)
	if !ok || !named || !strings.HasPrefix(what, " has overflowed its stack") {
		return "", ""
	}
	return "thread '" + thread + "' has overflowed its stack", thread
}

// oldLine takes a line of an old panic's quoted message.
func (p *rustPanic) oldLine(s string) {
	if i := strings.LastIndex(s, "', "); i >= 0 {
		if at, ok := cutRustcPosition(s[i+3:]); ok {
			p.at = &at
			p.message, p.old = append(p.message, s[:i]), false
			return
		}
	}
	p.message = append(p.message, s)
}

// line takes the next line; it returns false if the panic has ended.
func (p *rustPanic) line(s string) bool {
	if len(s) > lex.MaxLogLine {
		s = strings.Clone(s[:lex.MaxLogLine])
	}
	switch {
	case p.closed:
		return false
	case p.hook:
		return !endsRustPanic(s) && p.hookLine(s)
	case p.old:
		p.oldLine(s)
		p.closed = len(p.message) >= maxPanicLines
	case p.stack:
		return p.frame(s)
	case s == "stack backtrace:":
		p.stack = true
	case strings.HasPrefix(s, "note: run with `RUST_BACKTRACE"), strings.HasPrefix(s, "note: Run with `RUST_BACKTRACE"):
		p.closed = true
	case p.at != nil && (endsRustPanic(s) || len(p.message) > 0 && strings.HasPrefix(s, "Error: ")):
		p.closed = true
		return false
	default:
		lex.Keep(&p.message, maxPanicLines, s)
	}
	return true
}

// endsRustPanic says whether libtest, cargo or the runtime prints the line after a panic.
func endsRustPanic(s string) bool {
	_, again := readRustPanic(s)
	return again || lex.HasAnyPrefix(s, "note: panic did not contain expected string", "note: test did not panic", "thread caused non-unwinding panic",
		"thread panicked while processing panic", "error: test failed", "error: doctest failed", "error: bench failed", "error: process didn't exit")
}

// frame reads the two lines of a frame of a backtrace:
//
//	4: lexer::tests::lexes_decimal
//	          at ./src/lib.rs:61:9
func (p *rustPanic) frame(s string) bool {
	t := strings.TrimLeft(s, " ")
	if spot, ok := strings.CutPrefix(t, "at "); ok && strings.HasPrefix(s, "    ") {
		if at, ok := frame.Rust(spot); ok && p.fn != "" && len(p.frames) < maxRustFrames {
			at.Function = cutSymbolHash(p.fn)
			p.frames = append(p.frames, at)
		}
		p.fn = ""
		return true
	}
	number, fn, ok := strings.Cut(t, ": ")
	if ok && number != "" && strings.Trim(number, "0123456789") == "" {
		fn = strings.TrimLeft(fn, " ")
		if address, name, found := strings.Cut(fn, " - "); found && strings.HasPrefix(address, "0x") {
			fn = name
		}
		p.fn = fn
		return true
	}
	p.closed = true
	return strings.HasPrefix(s, "note: Some details are omitted")
}

// text is the message without blank lines at both ends.
func (p *rustPanic) text() []string { return lex.Trimmed(p.message) }

// fill sets the finding's message, place, values and frames.
func (p *rustPanic) fill(f *result.Finding) {
	text := p.text()
	if len(text) == 0 {
		text = []string{"panicked without a message"}
	}
	if p.before != "" && isTermination(text) {
		f.Message = p.before
		return
	}
	f.Message = panicHeadline(text) + commandFailed(text)
	f.At = p.at
	fillRustValues(f, text)
	fillSaid(f, text)
	for i, s := range text { // the crate pretty_assertions
		if strings.HasPrefix(s, "Diff < left / right > :") || strings.HasPrefix(s, "Differences (-left|+right):") { // … and similar-asserts
			f.Diff = strings.Join(text[i+1:], "\n")
		}
	}
	if len(text) > 1 && f.Detail == "" && f.Diff == "" {
		f.Detail = lex.JoinBounded(text, maxRustcDetail)
	}
	f.Frames = p.ownFrames()
	if p.at != nil && frame.IsRustLibrary(p.at.Path) && len(f.Frames) > 0 {
		at := f.Frames[0]
		f.At = &at
	}
}

// isTermination says whether libtest panics because the test returned Err, which was printed before (until Rust 1.61).
func isTermination(text []string) bool {
	return strings.Contains(text[len(text)-1], ": the test returned a termination value with a non-zero status code")
}

// panicHeadline is the first line of a message. If the line ends in a colon, the next one is added; if it ends in an
// opening bracket, the rest of the value is.
func panicHeadline(text []string) string {
	if i := slices.IndexFunc(text, isSaid); i > 0 {
		text = text[i:]
	}
	message := strings.TrimSpace(text[0])
	if strings.HasSuffix(message, "[") || strings.HasSuffix(message, "{") || strings.HasSuffix(message, "(") {
		value := strings.Join(strings.Fields(strings.Join(openValue(text), " ")), " ")
		if len(value) <= maxRustValue {
			message = value
		}
	}
	if strings.HasSuffix(message, ":") {
		if next := lex.FirstOf(text[1:]); next != "" {
			message += " " + strings.TrimSpace(next)
		}
	}
	return message
}

// isSaid says whether a line has text, not only a rule drawn across the terminal.
func isSaid(s string) bool { return strings.Trim(s, " ━─═=-*#_") != "" }
