package place

import (
	"strconv"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// MaxPlace bounds how many bytes of a line are searched for a path and a position: no system has longer paths, and
// a line may be very long.
const MaxPlace = 4200

// LastColons reads "path:3:7"; line and column may be 0.
func LastColons(s string) *result.Location {
	j := strings.LastIndexByte(s, ':')
	if j <= 0 || !lex.IsDigits(s[j+1:]) {
		return nil
	}
	i := strings.LastIndexByte(s[:j], ':')
	if i <= 0 || !lex.IsDigits(s[i+1:j]) {
		return nil
	}
	return &result.Location{Path: s[:i], Line: lex.Atoi(s[i+1 : j]), Column: lex.Atoi(s[j+1:])}
}

// CutLineNumber splits "path:12" into path and line.
func CutLineNumber(s string) (path string, line int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n > 0
}

// InCorner reads the place in the corner of a diagnostic's drawn source: ",-[path:3:7]" and "╭─[ path:3:7 ]".
func InCorner(text string) *result.Location {
	for _, corner := range [...]string{",-[", "╭─["} {
		if _, rest, ok := strings.Cut(text, corner); ok {
			where, _, _ := strings.Cut(rest, "]")
			return LastColons(strings.TrimSpace(where))
		}
	}
	return nil
}

// CutAtEnd removes a position such as " (2:10)" from the end of a message.
func CutAtEnd(text string) (line, column int, rest string, ok bool) {
	i := strings.LastIndex(text, " (")
	if i < 0 || !strings.HasSuffix(text, ")") {
		return 0, 0, text, false
	}
	a, b, ok := strings.Cut(text[i+2:len(text)-1], ":")
	if !ok || !lex.IsDigits(a) || !lex.IsDigits(b) {
		return 0, 0, text, false
	}
	return lex.Atoi(a), lex.Atoi(b), text[:i], true
}

// CutPlace reads "path:line: rest" at the start of a line.
func CutPlace(line string) (at result.Location, rest string, ok bool) {
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '>' {
		return at, "", false
	}
	for from := 2; ; { // the colon behind a drive letter does not end the path
		i := strings.IndexByte(line[min(from, len(line)):], ':')
		if i < 0 {
			return at, "", false
		}
		i += from
		n := i + 1
		for n < len(line) && line[n] >= '0' && line[n] <= '9' && n-i < 9 {
			n++
		}
		if n > i+1 && (n == len(line) || line[n] == ':') {
			if at.Path = line[:i]; strings.Contains(at.Path, " = ") || strings.ContainsAny(at.Path, "\"'{}()") || endsWithHost(at.Path) {
				return at, "", false
			}
			at.Line, _ = strconv.Atoi(line[i+1 : n])
			return at, strings.TrimPrefix(strings.TrimPrefix(line[n:], ":"), " "), at.Line > 0
		}
		from = i + 1
	}
}

// PythonStarts are Format.Starts for lines that begin with the path of a Python file, one for each possible first
// byte, including the first bytes of letters beyond ASCII. The slice is shared: do not change it.
func PythonStarts() []string { return pythonStarts() }

var pythonStarts = sync.OnceValue(func() (starts []string) {
	for c := byte('!'); c < 0xf5; c++ {
		if strings.IndexByte(`"#$&'()*,:;<=>?[\]^{|}`+"`", c) < 0 && (c < 0x7f || c >= 0xc2) {
			starts = append(starts, string([]byte{c})+"….py", string([]byte{c})+"….ipynb:")
		}
	}
	return starts
})

// annotations precede a compiler's errors in logs of continuous integration, and in the output of programs that run
// the compiler.
var annotations = [...]string{"##[error]", "##[warning]", "Error: ", "Warning: "}

func CutAnnotation(s string) string {
	for _, a := range annotations {
		if rest, ok := strings.CutPrefix(s, a); ok {
			return rest
		}
	}
	return s
}

// Roles of a byte in a line that begins with a place.
const (
	inPath  = 1 << iota // part of a path in the form that most tools print
	ofPath              // distinguishes such a path from a number, a date or a time
	begins              // a position may begin with it
	follows             // may come next in a position: a digit, or a blank before a word
)

// kinds are the roles of each byte.
var kinds = func() (kinds [256]uint8) {
	for c := range kinds {
		switch b := byte(c); {
		case '0' <= b && b <= '9':
			kinds[b] = inPath | follows
		case b == '-', b == 'T', b == '_':
			kinds[b] = inPath
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', b == '.', b == '/', b == '+', b == '@', b == '~', b == '%', b == '$', b == '!':
			kinds[b] = inPath | ofPath
		case b == ' ':
			kinds[b] = follows
		case b == '[':
			kinds[b] = begins | follows
		case b == ':', b == '(', b == ',':
			kinds[b] = begins
		}
	}
	return kinds
}()

// Plain is Cut for the form that most tools print, "src/a.c:3:7: rest", with a path of letters, digits and a few
// signs.
func Plain(line string) (at result.Location, rest string, ok bool) { return cutPlain(line) }

// cutPlain is Cut for "src/a.c:3:7: rest" and "src/a.c:3: rest" with a path of letters, digits and a few signs.
// Most places have this form, and it reads them several times as fast as cutAny, with the same result.
func cutPlain(line string) (at result.Location, rest string, ok bool) {
	i, seen := 0, uint8(0)
	for i < len(line) && i < MaxPlace && kinds[line[i]]&inPath != 0 {
		seen |= kinds[line[i]]
		i++
	}
	if i == len(line) || i == MaxPlace || line[i] != ':' || seen&ofPath == 0 {
		return at, "", false
	}
	if at.Line, rest = number(line[i+1:]); at.Line == 0 || rest == "" || rest[0] != ':' {
		return at, "", false
	}
	if column, after := number(rest[1:]); len(after) < len(rest)-1 {
		at.Column, rest = column, after
	}
	if rest == "" || rest[0] != ':' {
		return at, "", false
	}
	at.Path = line[:i]
	for rest = rest[1:]; rest != "" && rest[0] == ' '; {
		rest = rest[1:]
	}
	return at, rest, true
}
