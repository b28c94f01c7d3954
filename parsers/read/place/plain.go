package place

import "cairn/result"

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
