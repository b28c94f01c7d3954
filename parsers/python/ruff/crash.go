package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// ruffPanic is the rule of a crash. Since 0.13, a file on which ruff panicked has a finding with this rule on stdout,
// and stderr only asks to report the crash. Before, stderr has the file, and the reason below it:
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
// A crash outside of a file begins with "error: Ruff crashed". Rust's text about the thread follows.
const ruffPanic = "panic"

// ruffPanics lists the texts before the path of a file on which ruff panicked.
var ruffPanics = [...]string{"error: Panicked while linting ", "error: Panicked while formatting ", "warning: Linting panicked "}

// panicked is the text before the place in ruff's own source.
const panicked = "panicked at "

func (n *ruffNotice) crashed() bool {
	return strings.HasPrefix(n.head, "thread '") || n.crashedItself()
}

// crashedItself reports whether the notice is about a crash, and shows that the program is ruff.
func (n *ruffNotice) crashedItself() bool {
	return lex.HasAnyPrefix(n.head, "error: Ruff crashed", "error: Panic during ") || lex.HasAnyPrefix(n.head, ruffPanics[:]...) ||
		strings.HasPrefix(n.head, "thread '") && strings.Contains(n.head, panicked+"crates/ruff")
}

// asksOnly reports whether the notice only asks to report a crash, whose finding is on stdout.
func (n *ruffNotice) asksOnly() bool { return strings.HasPrefix(n.head, "error: Panic during ") }

// ruffCrashLines lists the beginnings of lines of a crash that are not indented.
var ruffCrashLines = []string{"https://", "...", "thread '", panicked, "stack backtrace:", "Backtrace:", "note: ", "fatal runtime error: "}

// crashLine reports whether a line continues the notice of a crash.
func (n *ruffNotice) crashLine(s string) bool {
	return s == "" || s[0] == ' ' || lex.HasAnyPrefix(s, ruffCrashLines...) || n.messageNext()
}

// messageNext reports whether the last line was "panicked at …:", so that the message follows.
func (n *ruffNotice) messageNext() bool {
	last := n.head
	if len(n.text) > 0 {
		last = n.text[len(n.text)-1]
	}
	return strings.Contains(last, panicked) && strings.HasSuffix(last, ":")
}

// crash returns the finding of a crash.
func (n *ruffNotice) crash() result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: ruffPanic, Message: n.panicMessage()}
	if rest, ok := lex.CutAnyPrefix(n.head, ruffPanics[:]...); ok {
		path, _, _ := strings.Cut(rest, ": This indicates ")
		f.At = &result.Location{Path: path, Line: 1, Column: 1}
	}
	return f
}

// panicMessage returns the panic's message: the line below "panicked at …:" or, before
// Rust 1.73, the quoted text behind "panicked at ".
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
