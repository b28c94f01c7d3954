package result

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Message returns the text of a finding without anything that differs between two runs
// of the same failure: the place of the checkout, positions, times, addresses. The
// package documentation specifies it. It is linear in the length of the text, and
// Message(Message(s)) == Message(s).
func (w Workspace) Message(s string) string { return newPaths(w).message(s) }

func (p *paths) message(s string) string { return maskMessage(p.rewrite(tidy(s))) }

// tidy removes differences in spelling between equal texts: escapes, Unicode
// composition, quotes, white space, and the punctuation at the end.
func tidy(s string) string {
	s = nfc(Clean(s))
	if isTidy(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '`': // rubocop's progress format drops them, its JSON keeps them
		case c == ' ' || c == '\n' || c == '\t':
			b = appendSpace(b)
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			b = appendTidy(b, r)
			i += size
			continue
		}
		i++
	}
	for len(b) > 0 && strings.IndexByte(" .:", b[len(b)-1]) >= 0 {
		b = b[:len(b)-1] // eslint drops the full stop in one format and keeps it in another
	}
	return nfc(string(b)) // a deleted backtick may have separated a letter from its accent
}

// isTidy says whether tidy would change nothing, which is usual.
func isTidy(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c == '`' || c == '\n' || c == '\t' || c >= utf8.RuneSelf || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || strings.IndexByte(" .:", last) < 0
}

func appendTidy(b []byte, r rune) []byte {
	switch r {
	case '‘', '’', '‚': // compilers quote according to the locale
		return append(b, '\'')
	case '“', '”', '„':
		return append(b, '"')
	}
	if unicode.IsSpace(r) {
		return appendSpace(b)
	}
	return utf8.AppendRune(b, r)
}

// appendSpace appends a space, unless b is empty or ends in one.
func appendSpace(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] == ' ' {
		return b
	}
	return append(b, ' ')
}

// nfc is s in Unicode normalisation form C. macOS returns file names decomposed, and
// editors write messages composed.
func nfc(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(s)
		}
	}
	return s
}
