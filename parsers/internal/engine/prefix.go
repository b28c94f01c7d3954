package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// maxPrefix bounds the length of a prefix, in bytes: the longest ones seen, of gh and of pnpm in deep directories,
// stay below 100.
const maxPrefix = 160

// timeKey is the key of all prefixes that are a time of day.
const timeKey = "<time>"

var timeKeyBytes = []byte(timeKey)

// cutTask finds what a task runner, an image builder or a log puts before a line that is not otherwise known:
//
//	[name] , [name]:        concurrently, wireit, go-task, yarn workspaces
//	pkg:task: , @scope/pkg: turbo, lerna
//	dir/package task:       pnpm --recursive
//	name  |                 docker compose, foreman, moon, earthly; with a drawn bar tilt
//	name<tab>               GNU parallel --tag, gh run view --log
//	#7 1.234                docker build
//	Step #2 - "test":       Google Cloud Build
//	2026-01-31T12:00:00Z    continuous integration; also without a date
//	2026/01/31 12:00:00     Go's log package, and programs that imitate it
//	Jan 31 12:00:00         syslog, ts
//	[12:00:00]W:<tab>       TeamCity
//
// The key is the same for all lines of a task; n is the length of the prefix. Only the text behind it can show
// whether it is a prefix at all.
func cutTask(line []byte) (key []byte, n int) {
	s := line[:min(len(line), maxPrefix)]
	if len(s) == 0 || s[0] == '\t' {
		return nil, 0
	}
	switch c := s[0]; {
	case c == ' ': // names padded to one column
		if key, n = cutMark(s); n > 0 && (bytes.HasSuffix(key, []byte(" | ")) || bytes.HasSuffix(key, []byte(bar+" "))) {
			return key, n
		}
		return nil, 0
	case c == '[':
		return cutBracket(s)
	case c == '#':
		return cutBuildStep(s)
	case c >= '0' && c <= '9', monthLen(s) > 0:
		if n = timeLen(s); n > 0 {
			return timeKeyBytes, n
		}
	case bytes.HasPrefix(s, []byte("Step #")):
		if i := bytes.Index(s, []byte(`": `)); i > 0 {
			return s[:i+3], i + 3
		}
	}
	return cutMark(s)
}

// bar stands behind a name in place of "|".
const bar = "│"

// marks are the bytes with which a mark behind a name may begin.
var marks = [256]bool{'\t': true, '|': true, ':': true, 0xe2: true}

// cutMark cuts the line at the first mark that may end a name.
func cutMark(s []byte) (key []byte, n int) {
	for i := 1; i < len(s); i++ {
		if !marks[s[i]] {
			continue
		}
		switch last := i+1 == len(s); {
		case s[i] == '\t':
			return s[:i+1], i + 1
		case s[i] == '|' && s[i-1] == ' ' && (last || s[i+1] == ' '):
			if i < 2 || !hasLetter(s[:i]) {
				return nil, 0
			}
			n = min(i+2, len(s))
			return s[:n], n
		case s[i] == ':' && !last && s[i+1] == ' ':
			return cutColon(s, i)
		case s[i] == bar[0] && s[i-1] == ' ' && bytes.HasPrefix(s[i:], []byte(bar)) && hasLetter(s[:i]):
			n = min(i+len(bar)+1, len(s))
			return s[:n], n
		}
	}
	return nil, 0
}

func cutBracket(s []byte) (key []byte, n int) {
	i := bytes.IndexByte(s, ']')
	if i < 2 {
		return nil, 0
	}
	name, rest := s[1:i], s[i+1:]
	n = i + 1
	timed := timeLen(name) == len(name)
	switch severity := string(name); {
	case severity == "error" || severity == "warn" || severity == "info": // sbt's, before what its compiler prints
		return nil, 0
	case !hasLetter(name) && countDigits(name) == 0: // "[==========] Running 4 tests."
		return nil, 0
	case timed && teamCityMark(rest) > 0:
		n += teamCityMark(rest)
	case bytes.HasPrefix(rest, []byte(": ")):
		n += 2
	case bytes.HasPrefix(rest, []byte(" ")), bytes.HasPrefix(rest, []byte("\t")):
		n++
	default:
		return nil, 0
	}
	if timed {
		return timeKeyBytes, n
	}
	return s[:n], n
}

// teamCityMark is the length of ":<tab> " with an optional letter for the severity before it; 0 for anything else.
func teamCityMark(s []byte) int {
	i := bytes.Index(s[:min(len(s), 5)], []byte(":\t "))
	if i < 0 || i > 1 {
		return 0
	}
	return i + 3
}

// cutBarred reads "[name]   | ", which act prints. The text of a task called [name] may begin with a bar too, so
// this form counts only if "[name] " is not a task.
func cutBarred(line []byte) (key []byte, n int) {
	s := line[:min(len(line), maxPrefix)]
	i := bytes.IndexByte(s, ']')
	if len(s) == 0 || s[0] != '[' || i < 2 {
		return nil, 0
	}
	bar := bytes.TrimLeft(s[i+1:], " ")
	if n = len(s) - len(bar); n == i+1 || !bytes.HasPrefix(bar, []byte("|")) {
		return nil, 0
	}
	n = min(n+2, len(s))
	return s[:n], n
}

// cutBuildStep reads "#7 1.234 ".
func cutBuildStep(s []byte) (key []byte, n int) {
	step := 1 + countDigits(s[1:])
	if step == 1 || step >= len(s) || s[step] != ' ' {
		return nil, 0
	}
	n = step + 1 + countDigits(s[step+1:])
	if n >= len(s) || s[n] != '.' {
		return nil, 0
	}
	n += 1 + countDigits(s[n+1:])
	if n == len(s) {
		return s[:step], n
	}
	if s[n] != ' ' {
		return nil, 0
	}
	return s[:step], n + 1
}

// severities are words, of verdicts as well, that before a colon are no task's name.
var severities = []string{"error", "warning", "note", "help", "info", "fatal", "debug", "hint", "fail", "failed", "panic", "pass", "passed", "skip"}

// cutColon reads "pkg:task: ", "dir/package task: " and "name: ", with the colon at s[i]. If a line number precedes
// the colon, the text is a place in a file.
func cutColon(s []byte, i int) (key []byte, n int) {
	from := i
	for from > 0 && s[from-1] != ':' && s[from-1] != ' ' {
		from--
	}
	if bytes.HasPrefix(s, []byte("➤")) && bytes.HasPrefix(s[i+2:], []byte("│")) {
		return nil, 0 // the code of a message in a drawn tree
	}
	last := s[from:i]
	if s[0] == '/' || isNumbered(s[i+2:]) || bytes.Contains(s[:i], []byte("@v")) {
		return nil, 0 // a compiler's program speaks; "a.sh: 2: …" is a place; "example.com/m@v1.2.0: …" a module with its version
	}
	if countDigits(last) == len(last) || !hasLetter(s[:i]) || bytes.ContainsAny(s[:i], "()'\"`=,") || bytes.Count(s[:i], []byte{' '}) > 1 {
		return nil, 0
	}
	if slices.ContainsFunc(severities, func(word string) bool { return strings.EqualFold(string(last), word) }) || lex.IsOneOf(string(last), "START MISS") {
		return nil, 0
	}
	return s[:i+2], i + 2
}

// isNumbered reports whether s begins like "12: ", as behind the name of a script.
func isNumbered(s []byte) bool {
	n := countDigits(s)
	return n > 0 && bytes.HasPrefix(s[n:], []byte(": "))
}

// timeLen is the length of a time of day, with or without a date, and of the separator between it and the text.
func timeLen(s []byte) int {
	n := monthLen(s)
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') && (matches(s, "dddd-dd-dd") || matches(s, "dddd/dd/dd")) {
		n = 11
	}
	if !matches(s[n:], "dd:dd:dd") {
		return 0
	}
	n += 8
	if n+1 < len(s) && (s[n] == '.' || s[n] == ',') {
		n += 1 + countDigits(s[n+1:])
	}
	switch {
	case n < len(s) && s[n] == 'Z':
		n++
	case matches(s[n:], "+dd:dd"), matches(s[n:], "-dd:dd"):
		n += 6
	}
	if n == len(s) {
		return n
	}
	if s[n] != ' ' {
		return 0
	}
	n++
	if rest := s[n:]; len(rest) > 8 && rest[8] == ' ' && (bytes.HasPrefix(rest, []byte("stdout ")) || bytes.HasPrefix(rest, []byte("stderr "))) {
		return n + 9 // in containers' logs: "stdout F "
	}
	if len(s)-n > 3 && (s[n+2] == 'O' || s[n+2] == 'E') && matches(s[n:], "dd") && (s[n+3] == ' ' || s[n+3] == '+') { // in GitLab's logs: the stream, "00O "
		n += 4
	}
	return n
}

// monthLen is the length of "Jan 31 " or "Jan  1 "; 0 for anything else.
func monthLen(s []byte) int {
	if len(s) < 7 || s[3] != ' ' || s[6] != ' ' || s[0] < 'A' || s[0] > 'S' {
		return 0
	}
	i := strings.Index("JanFebMarAprMayJunJulAugSepOctNovDec", string(s[:3]))
	if i < 0 || i%3 != 0 || !matches(s[4:], "dd") && !matches(s[4:], " d") {
		return 0
	}
	return 7
}

// matches compares the beginning of s with a pattern in which "d" stands for a
// digit.
func matches(s []byte, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		fits := s[i] == pattern[i]
		if pattern[i] == 'd' {
			fits = '0' <= s[i] && s[i] <= '9'
		}
		if !fits {
			return false
		}
	}
	return true
}

func countDigits[T string | []byte](s T) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func hasLetter(s []byte) bool {
	return slices.ContainsFunc(s, func(c byte) bool { return lex.Letter(c) != 0 || c >= utf8.RuneSelf })
}

// rawPrefix is how many of a raw line's bytes give the first n bytes of the line with escapes resolved; -1 if the
// resolved line does not simply begin with them.
func rawPrefix(raw, shown []byte, n int) int {
	at := len(raw) - len(bytes.TrimPrefix(raw, []byte(term.Mark)))
	for i := 0; i < n; at++ {
		for at+1 < len(raw) && (raw[at] == 0x1b || raw[at] == 0xc2 && raw[at+1] >= 0x80 && raw[at+1] < 0xa0) {
			kind := raw[at+1]
			if raw[at] == 0xc2 {
				kind -= 0x40
			}
			at += 2 + term.SequenceLen(kind, raw[at+2:])
		}
		if at >= len(raw) || raw[at] != shown[i] {
			return -1
		}
		i++
	}
	return at
}
