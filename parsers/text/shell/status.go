package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"cairn/parsers/text/lex"
)

// statusMark matches the ways in which a line names the exit status of the command before: $?, the status of a
// command in a pipe, or a variable, to which the line must have assigned $?.
var statusMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\?|\$\{PIPESTATUS(?:\[\d+\]|\[@\])?\}|\$\{?([A-Za-z_]\w*)\}?`)
})

// StatusTold is the exit status that a command line prints, when line ends with echo "exit: $?" or the like and
// printed is the last line of its output. It is 0 if no status was printed, or success.
func (c Command) StatusTold(line, printed string) int {
	n := len(c.Listed)
	if n < 2 || c.Opaque || c.Listed[n-1].Program() != "echo" {
		return 0
	}
	text := c.Listed[n-1].echoes()
	marks := statusMark().FindAllStringSubmatchIndex(text, -1)
	if len(marks) != 1 {
		return 0
	}
	if m := marks[0]; m[2] >= 0 && !strings.Contains(line, text[m[2]:m[3]]+"=$?") {
		return 0
	}
	rest, begins := strings.CutPrefix(printed, text[:marks[0][0]])
	digits, ends := strings.CutSuffix(rest, text[marks[0][1]:])
	if !begins || !ends || !lex.IsDigits(digits) || len(digits) > 3 || lex.Atoi(digits) > 255 {
		return 0
	}
	return lex.Atoi(digits)
}

// echoes is the text that an echo was given.
func (c Command) echoes() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(c.Argv[1:]), func(w string) bool { return w == "-e" || w == "-n" }), " ")
}

// Echoed reports whether an echo of the command line printed a line of its output: a status ("rc=$?"), or a text that is no
// mere heading ("== tests").
func (c Command) Echoed(printed string) bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool {
		if l.Program() != "echo" || l.Feeds {
			return false
		}
		text := l.echoes()
		marks := statusMark().FindAllStringIndex(text, -1)
		if len(marks) == 0 {
			return printed == text && startsWord(text)
		}
		first, last := marks[0][0], marks[len(marks)-1][1]
		rest, begins := strings.CutPrefix(printed, text[:first])
		value, ends := strings.CutSuffix(rest, text[last:])
		return begins && ends && (lex.IsDigits(value) || startsWord(text[:first]) && value != "" && !strings.ContainsAny(value, " \t"))
	})
}

// startsWord reports whether a text begins with a letter or a digit.
func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
