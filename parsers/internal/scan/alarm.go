package scan

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/internal/term"
	"cairn/parsers/read/lex"
)

// AlarmWords are what a line says when something went wrong, whatever the
// tool. Each stands with three of its letters in a row that are rare in
// ordinary text: the scan looks for these, or the three beginning one further,
// and only then at the word.
var AlarmWords = [...]struct{ rare, Word string }{
	{"rro", "error"}, {"err", "err!"}, {"fai", "fail"}, {"fat", "fatal"}, {"pan", "panic"}, {"oop", "oops"},
	{"quo", "quota"}, {"cee", "exceed"}, {"spa", "no space"},
	{"xce", "exception"}, {"ceb", "traceback"}, {"abo", "abort"}, {"gfa", "segfault"}, {"cra", "crash"},
	{"gme", "segmentation fault"}, {"mpe", "core dumped"}, {"kil", "killed"}, {"rmi", "terminated"},
	{"gup", "hangup"}, {"bus", "bus error"}, {"xit", "exit status"}, {"xit", "exit code"}, {"xit", "exited with"},
	{"den", "denied"}, {"bid", "forbidden"}, {"nau", "unauthori"}, {"efu", "refus"}, {"rej", "reject"}, {"eac", "eacces"},
	{"fou", "not found"}, {"suc", "no such"}, {"xis", "t exist"}, {"noe", "enoent"}, {"mis", "missing"}, {"rul", "no rule"},
	{"tes", "no test"}, {"nde", "undefined"}, {"unb", "unbound"}, {"nkn", "unknown"}, {"cog", "not recogni"},
	{"nno", "cannot"}, {"oul", "could not"}, {"ldn", "ldn't"}, {"una", "unable to"}, {"giv", "giving up"}, {"gav", "gave up"},
	{"med", "timed out"}, {"lef", "space left"}, {"emo", "out of memory"}, {"adl", "deadlock"}, {"flo", "overflow"}, {"rac", "data race"},
	{"nva", "invalid"}, {"sse", "assert"}, {"xpe", "expected"}, {"nha", "unhandled"}, {"nre", "unresolved"}, {"mis", "mismatch"},
	{"nfl", "conflict"}, {"cor", "corrupt"}, {"bro", "broken"}, {"vio", "violation"}, {"uns", "unsupported"}, {"wou", "would reformat"},
}

// LongestAlarm is at least as long as the longest of them.
const LongestAlarm = 24

// Signs are marks that begin a line that says no: test runners' crosses,
// make's and npm's stars, pytest's and ExUnit's letters.
var Signs = [...]string{"✖", "✗", "✘", "✕", "×", "● ", "❌", "🔴", "***", "E   ", "not ok", "!!"}

// signals are what a shell prints when a signal ended a command of its own.
var signals = [...]string{"killed", "terminated", "segmentation fault", "abort", "hangup", "bus error", "core dumped", "signal"}

// letterMask keeps the last three letters of five bits each.
const letterMask = 1<<15 - 1

// eye looks at lines, without making garbage.
type Scanner struct {
	class [256]uint32        // letter
	rare  [1 << 9]uint64     // a bit for each three letters that are of a word: 4 KB, beside the text in the nearest cache
	word  map[uint32][]alarm // which words they are of
}

// alarm is a word and where in it its three letters stand.
type alarm struct {
	text string
	at   int
}

var NewScanner = sync.OnceValue(func() *Scanner {
	e := new(Scanner)
	for i := range e.class {
		e.class[i] = lex.Letter(byte(i))
	}
	e.word = make(map[uint32][]alarm, 2*len(AlarmWords))
	for _, w := range AlarmWords {
		at := strings.Index(w.Word, w.rare)
		e.learn(w.Word, at)
		if at+3 < len(w.Word) {
			e.learn(w.Word, at+1)
		} else {
			e.learn(w.Word, at-1)
		}
	}
	return e
})

func (e *Scanner) learn(word string, at int) {
	three := lex.Letter(word[at])<<10 | lex.Letter(word[at+1])<<5 | lex.Letter(word[at+2])
	e.rare[three>>6] |= 1 << (three & 63)
	e.word[three] = append(e.word[three], alarm{word, at})
}

// Indent is how many blanks a line begins with.
func Indent(line []byte) int {
	for i, b := range line {
		if b != ' ' && b != '\t' {
			return i
		}
	}
	return len(line)
}

// Look resolves the line's text and finds out where it reports something
// wrong. Lines that say there was nothing wrong ("0 errors") do not count.
func (e *Scanner) Look(l *term.RawLine) { e.LookInto(nil, l) }

// LookInto is look that may use a buffer of the caller's for the text.
func (e *Scanner) LookInto(space []byte, l *term.RawLine) {
	var at int
	if term.Odd(l.Text) && !term.Plain(l.Text) {
		l.Text, at, l.Binary = e.lookCloser(space, l.Text, l.Beyond)
		if l.Binary {
			l.Beyond = 0 // the summary counts them
		}
	} else {
		at = e.scanFrom(l.Text, l.Calm)
	}
	if at < 0 && signed(l.Text) {
		at = 0
	}
	l.Alarm = at
}

// lookCloser resolves a line that is more than plain text. An alarm that a
// carriage return wrote over stays in front of what a terminal would show.
func (e *Scanner) lookCloser(space, raw []byte, beyond int64) (text []byte, alarm int, binary bool) {
	raw = bytes.TrimRight(raw, "\r")
	if text, ok := term.StripColours(space[:0], raw); ok {
		return text, e.scan(text), false
	}
	if term.IsBinary(raw) {
		text, alarm = term.Summary(raw, beyond, e.scan(raw))
		return text, alarm, true
	}
	text = term.Resolve(raw)
	if alarm = e.scan(text); alarm >= 0 || signed(text) || bytes.IndexByte(raw, '\r') < 0 {
		return text, alarm, false
	}
	for written := range bytes.SplitSeq(raw, []byte{'\r'}) {
		under := term.Resolve(written)
		if at := e.scan(under); at >= 0 || signed(under) {
			return slices.Concat(under, []byte(" [\\r] "), text), max(at, 0), false
		}
	}
	return text, alarm, false
}

// scan gives where an alarming word stands; -1 if there is none. It looks at
// every second place: of two neighbouring triples of a word one ends there.
func (e *Scanner) scan(line []byte) int { return e.scanFrom(line, 0) }

// scanFrom is scan where no word begins before an offset.
func (e *Scanner) scanFrom(line []byte, from int) int {
	var last uint32
	for i := max(1, from-1); i < len(line); i += 2 {
		last = last<<10 | e.class[line[i-1]]<<5 | e.class[line[i]]
		three := last & letterMask
		if e.rare[three>>6]>>(three&63)&1 != 0 {
			for _, w := range e.word[three] {
				if at := says(line, i, w); at >= 0 {
					return at
				}
			}
		}
	}
	return -1
}

// says gives where the word begins of which three letters end at i; -1 if they
// stand in no such word, or something negates it.
func says(line []byte, i int, a alarm) int {
	start := i - 2 - a.at
	end := start + len(a.text)
	if start < 0 || end > len(line) {
		return -1
	}
	for k := range len(a.text) {
		if line[start+k]|0x20 != a.text[k]|0x20 {
			return -1
		}
	}
	if negated(line[:start], a.text) || none(line[end:]) {
		return -1
	}
	return start
}

// none: "errors: 0", "failed=0", "fail 0", `errors="0"`, and no number that
// goes on.
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
	return len(rest) == 1 || strings.IndexByte(",;)]|\"", rest[1]) >= 0 || after[0] == '=' && rest[1] == ' '
}

// negated: "0 errors", "no errors", "without errors", "as expected". Any other word
// behind "as" is meant: "treated as error", "marked as failed".
func negated(before []byte, word string) bool {
	trimmed := bytes.TrimRight(before, " ")
	if len(trimmed) == len(before) {
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

func signed(line []byte) bool {
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

// Signalled says whether an alarming line tells of a signal.
func Signalled(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(signals[:], func(s string) bool { return strings.Contains(line, s) })
}
