package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// What ruff says when it crashes. A file that it panics about is a finding with
// the rule "panic" since 0.13, and stderr only asks to report it. Before that,
// stderr names the file, and below what went wrong:
//
//	error: Panicked while linting a.py: This indicates a bug in Ruff. If you could open an issue at:
//
//	    https://github.com/…
//
//	...with the relevant file contents, …
//
//	panicked at crates/ruff_diagnostics/src/edit.rs:42:9:
//	Prefer `Fix::deletion`
//	Backtrace: …
//
// A crash of the whole begins with "error: Ruff crashed" and goes on with what
// Rust prints of a thread.
const ruffPanic = "panic"

// ruffPanics stand before the file that ruff panicked about.
var ruffPanics = [...]string{"error: Panicked while linting ", "error: Panicked while formatting ", "warning: Linting panicked "}

// panicked is the text before the place in the code of ruff.
const panicked = "panicked at "

func (n *ruffNotice) crashed() bool {
	return strings.HasPrefix(n.head, "thread '") || n.crashedItself()
}

// crashedItself: the notice reports a crash, in words that name ruff.
func (n *ruffNotice) crashedItself() bool {
	is := func(start string) bool { return strings.HasPrefix(n.head, start) }
	return is("error: Ruff crashed") || is("error: Panic during ") || slices.ContainsFunc(ruffPanics[:], is) ||
		is("thread '") && strings.Contains(n.head, panicked+"crates/ruff")
}

// asksOnly: the crash itself is reported elsewhere.
func (n *ruffNotice) asksOnly() bool { return strings.HasPrefix(n.head, "error: Panic during ") }

// ruffCrashLines begin the lines below that are not indented.
var ruffCrashLines = []string{"https://", "...", "thread '", panicked, "stack backtrace:", "Backtrace:", "note: ", "fatal runtime error: "}

// crashLine says whether a line goes on with a crash.
func (n *ruffNotice) crashLine(s string) bool {
	known := func(start string) bool { return strings.HasPrefix(s, start) }
	return s == "" || s[0] == ' ' || slices.ContainsFunc(ruffCrashLines, known) || n.messageNext()
}

// messageNext: the last line was "panicked at …:", below which the message stands.
func (n *ruffNotice) messageNext() bool {
	last := n.head
	if len(n.text) > 0 {
		last = n.text[len(n.text)-1]
	}
	return strings.Contains(last, panicked) && strings.HasSuffix(last, ":")
}

// crash is the finding.
func (n *ruffNotice) crash() result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: ruffPanic, Message: n.panicMessage()}
	if rest, ok := lex.CutAnyPrefix(n.head, ruffPanics[:]...); ok {
		path, _, _ := strings.Cut(rest, ": This indicates ")
		f.At = &result.Location{Path: path, Line: 1, Column: 1}
	}
	return f
}

// panicMessage is what went wrong: the line below "panicked at …:" or, before
// Rust 1.73, what is quoted behind it.
func (n *ruffNotice) panicMessage() string {
	lines := append([]string{n.head}, n.text...)
	for i, s := range lines {
		_, what, ok := strings.Cut(s, panicked)
		switch {
		case ok && strings.HasPrefix(what, "'"):
			what, _, _ = strings.Cut(what[1:], "', ")
			return what
		case ok && strings.HasSuffix(s, ":") && i+1 < len(lines) && lines[i+1] != "":
			return lines[i+1]
		case strings.HasSuffix(s, " has overflowed its stack"):
			return "stack overflow"
		}
	}
	message, _, _ := strings.Cut(strings.TrimPrefix(n.head, "error: "), ". If you could ")
	return message
}
