package parsers

import (
	"bytes"
	"strings"
	"sync"
)

// alarmWords are what a line says when something went wrong, whatever the
// tool. Each stands with three of its letters in a row that are rare in
// ordinary text: the scan looks for these and only then at the word.
var alarmWords = [...]struct{ rare, word string }{
	{"rro", "error"}, {"err", "err!"}, {"fai", "fail"}, {"fat", "fatal"}, {"pan", "panic"},
	{"xce", "exception"}, {"ceb", "traceback"}, {"abo", "abort"}, {"gfa", "segfault"},
	{"tat", "segmentation fault"}, {"ore", "core dumped"}, {"kil", "killed"}, {"den", "denied"},
	{"fou", "not found"}, {"suc", "no such"}, {"nde", "undefined"}, {"nno", "cannot"},
	{"una", "unable to"}, {"efu", "refused"}, {"med", "timed out"}, {"nva", "invalid"},
	{"sse", "assert"}, {"nha", "unhandled"}, {"nre", "unresolved"}, {"mis", "mismatch"},
	{"cra", "crash"}, {"cor", "corrupt"}, {"iol", "violation"},
	{"uns", "unsupported"}, {"une", "unexpected"},
}

// signs are marks that begin a line that says no: test runners' crosses,
// make's and npm's stars, pytest's and ExUnit's letters.
var signs = [...]string{"✖", "✗", "✘", "×", "❌", "🔴", "***", "E   ", "not ok", "!!"}

// letter folds a byte to five bits: letters to 1–26 whatever their case,
// everything else to 0.
func letter(b byte) uint16 {
	if b |= 0x20; b >= 'a' && b <= 'z' {
		return uint16(b-'a') + 1
	}
	return 0
}

// letterClass is letter for all bytes; bit 7 marks bytes that resolve has to
// look at.
var letterClass = sync.OnceValue(func() *[256]uint16 {
	var t [256]uint16
	for i := range t {
		t[i] = letter(byte(i))
		if i < 0x20 && i != '\t' || i >= 0x7f {
			t[i] |= odd
		}
	}
	return &t
})

const odd = 1 << 7

// rareLetters is the set of three-letter runs that alarmWords name.
var rareLetters = sync.OnceValue(func() *[1 << 15]bool {
	var set [1 << 15]bool
	for _, w := range alarmWords {
		set[letter(w.rare[0])<<10|letter(w.rare[1])<<5|letter(w.rare[2])] = true
	}
	return &set
})

// scanText looks at every byte of a line once. odd: it may need resolve.
// alarm: it may say that something went wrong (alarming decides).
func scanText(line []byte, class *[256]uint16, rare *[1 << 15]bool) (isOdd, mayAlarm bool) {
	var seen, last uint16
	for _, b := range line {
		c := class[b]
		seen |= c
		last = (last<<5 | c&31) & (1<<15 - 1)
		mayAlarm = mayAlarm || rare[last]
	}
	return seen&odd != 0, mayAlarm
}

// eye looks at lines: each byte once where nothing is odd about them.
type eye struct {
	class *[256]uint16
	rare  *[1 << 15]bool
}

func newEye() eye { return eye{letterClass(), rareLetters()} }

// look resolves the line's text and says whether it is alarming.
func (e eye) look(l *rawLine) bool {
	isOdd, mayAlarm := scanText(l.text, e.class, e.rare)
	if isOdd {
		l.text = resolve(l.text)
		return alarming(l.text)
	}
	return (mayAlarm || signed(l.text)) && alarming(l.text)
}

// alarming says whether a resolved line reports something wrong. Lines that
// say there was nothing wrong ("0 errors") do not count.
func alarming(line []byte) bool {
	text := strings.ToLower(string(line))
	for _, w := range alarmWords {
		if says(text, w.word) {
			return true
		}
	}
	return signed(line)
}

func signed(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " \t")
	for _, s := range signs {
		if bytes.HasPrefix(trimmed, []byte(s)) {
			return true
		}
	}
	return false
}

// says finds a word that nothing negates.
func says(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		if !negated(text[:at]) {
			return true
		}
		at += len(word)
	}
}

// negated: "0 errors", "no errors", "without errors", "ignore-errors".
func negated(before string) bool {
	trimmed := strings.TrimRight(before, " ")
	for _, not := range []string{"no", "0", "without", "zero"} {
		if rest, ok := strings.CutSuffix(trimmed, not); ok && len(trimmed) < len(before) && !endsWord(rest) {
			return true
		}
	}
	return false
}

func endsWord(s string) bool {
	return s != "" && (letter(s[len(s)-1]) != 0 || s[len(s)-1] >= '0' && s[len(s)-1] <= '9' || s[len(s)-1] == '.')
}
