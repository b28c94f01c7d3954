package scan

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// AlarmWords occur in lines that report trouble, whatever the tool.
var AlarmWords = [...]string{
	"error", "err!", "fail", "fatal", "panic", "oops",
	"quota", "exceed", "no space",
	"exception", "traceback", "abort", "segfault", "crash",
	"segmentation fault", "core dumped", "killed", "terminated",
	"hangup", "bus error", "exit status", "exit code", "exited with",
	"denied", "forbidden", "unauthori", "refus", "reject", "eacces",
	"not found", "no such", "t exist", "enoent", "missing", "no rule",
	"no test", "undefined", "unbound", "unknown", "not recogni",
	"cannot", "could not", "ldn't", "unable to", "giving up", "gave up",
	"timed out", "space left", "out of memory", "deadlock", "overflow", "data race",
	"invalid", "assert", "expected", "unhandled", "unresolved", "mismatch",
	"severe:", "conflict", "corrupt", "broken", "violation", "unsupported", "would reformat",
}

// LongestAlarm is at least the length of the longest of AlarmWords.
const LongestAlarm = 24

// Signs begin lines that report a failure: crosses of test runners, the stars of make and npm, the letters of
// pytest and ExUnit.
var Signs = [...]string{"✖", "✗", "✘", "✕", "×", "● ", "❌", "🔴", "***", "E   ", "not ok", "!!"}

// signals are the words that a shell prints when a signal ended one of its commands.
var signals = [...]string{"killed", "terminated", "segmentation fault", "abort", "hangup", "bus error", "core dumped", "signal"}

// Scanner finds alarms in lines, without allocating.
type Scanner struct{ words *Search }

// NewScanner returns the one Scanner, which looks for AlarmWords.
var NewScanner = sync.OnceValue(func() *Scanner { return &Scanner{alarmSearch()} })

// Indent is the number of blanks and tabs that a line begins with.
func Indent(line []byte) int {
	for i, b := range line {
		if b != ' ' && b != '\t' {
			return i
		}
	}
	return len(line)
}

// Look resolves the line's text and sets l.Alarm to where it reports trouble, -1 if nowhere. "0 errors" and the
// like do not count.
func (e *Scanner) Look(l *term.RawLine) { e.LookInto(nil, l) }

// LookInto is Look with a buffer for the text, whose contents it may overwrite.
func (e *Scanner) LookInto(space []byte, l *term.RawLine) {
	var at int
	if term.Odd(l.Text) && !term.Plain(l.Text) {
		l.Text, at, l.Binary = e.lookCloser(space, l.Text, l.Beyond)
		if l.Binary {
			l.Beyond = 0 // term.Summary has counted them
		}
	} else {
		at = e.words.Alarm(l.Text)
	}
	if at < 0 && Signed(l.Text) {
		at = 0
	}
	l.Alarm = at
}

// lookCloser resolves a line that is more than plain text. If a carriage return overwrote an alarm, the overwritten
// text is put in front of what a terminal would show.
func (e *Scanner) lookCloser(space, raw []byte, beyond int64) (text []byte, alarm int, binary bool) {
	raw = bytes.TrimRight(term.Decode(raw), "\r")
	if text, ok := term.StripColours(space[:0], raw); ok {
		return text, e.words.Alarm(text), false
	}
	if term.IsBinary(raw) {
		text, alarm = term.Summary(raw, beyond, e.words.Alarm(raw))
		return text, alarm, true
	}
	text = term.Resolve(raw)
	if alarm = e.words.Alarm(text); alarm >= 0 || Signed(text) || bytes.IndexByte(raw, '\r') < 0 {
		return text, alarm, false
	}
	for written := range bytes.SplitSeq(raw, []byte{'\r'}) {
		under := term.Resolve(written)
		if at := e.words.Alarm(under); at >= 0 || Signed(under) {
			return slices.Concat(under, []byte(" [\\r] "), text), max(at, 0), false
		}
	}
	return text, alarm, false
}

// denied reports whether the text around an alarm word says that nothing went wrong, as in "0 errors".
func denied(word string, before, after []byte) bool { return negated(before, word) || none(after) }

// none reports whether the text behind an alarm word counts nothing: "errors: 0", "failed=0", "fail 0",
// `errors="0"`, but not "errors: 0.5". Text behind a newline is not considered.
func none(after []byte) bool {
	for len(after) > 0 && 'a' <= after[0] && after[0] <= 'z' {
		after = after[1:]
	}
	rest := after
	for len(rest) > 0 && (rest[0] == ':' || rest[0] == '=' || rest[0] == '"' || rest[0] == ' ') {
		rest = rest[1:]
	}
	if len(rest) == len(after) || len(rest) == 0 || rest[0] != '0' {
		return false
	}
	return len(rest) == 1 || strings.IndexByte(",;)]|\"\n", rest[1]) >= 0 || after[0] == '=' && rest[1] == ' '
}

// negated reports whether the text before an alarm word denies it: "0 errors", "no errors", "without errors", "as
// expected". Another word behind "as" is no denial: "treated as error", "marked as failed".
func negated(before []byte, word string) bool {
	if len(before) == 0 || before[len(before)-1] != ' ' {
		return false
	}
	trimmed := bytes.TrimRight(before, " ")
	if len(trimmed) == 0 || strings.IndexByte("o0ts", trimmed[len(trimmed)-1]) < 0 { // how the words below end
		return false
	}
	for _, not := range [...]string{"no", "No", "0", "without", "zero", "as"} {
		if rest, ok := bytes.CutSuffix(trimmed, []byte(not)); ok && !endsWord(rest) && (not != "as" || word == "expected") {
			return true
		}
	}
	return false
}

func endsWord(s []byte) bool {
	if len(s) == 0 {
		return false
	}
	last := s[len(s)-1]
	return lex.Letter(last) != 0 || last >= '0' && last <= '9' || last == '.'
}

// Signed reports whether a line begins, behind its indent, with one of Signs.
func Signed(line []byte) bool {
	trimmed := line[Indent(line):]
	if len(trimmed) == 0 || trimmed[0] >= '0' && trimmed[0] <= '9' || lex.Letter(trimmed[0]) != 0 && trimmed[0] != 'E' && trimmed[0] != 'n' {
		return false
	}
	for _, s := range Signs {
		if len(trimmed) >= len(s) && string(trimmed[:len(s)]) == s {
			return true
		}
	}
	return false
}

// Signalled reports whether a line with an alarm names a signal.
func Signalled(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(signals[:], func(s string) bool { return strings.Contains(line, s) })
}
