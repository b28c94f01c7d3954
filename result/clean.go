package result

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s without anything that could act on a terminal or deceive a
// reader: escape sequences (CSI, OSC and their kin, in 7-bit and 8-bit form),
// control characters, bidirectional overrides and invisible tag characters.
// Line breaks of every kind become "\n"; tabs stay; a byte that is not UTF-8
// becomes U+FFFD. Clean(Clean(s)) == Clean(s).
//
// An escape string (OSC, DCS) that is not closed on its line loses only its
// introducer, so that a stray escape cannot swallow the text after it.
func Clean(s string) string {
	n := 0
	for n < len(s) && plain(s[n]) {
		n++
	}
	if n == len(s) {
		return s
	}
	b := make([]byte, n, len(s))
	copy(b, s)
	for i := n; i < len(s); {
		c := s[i]
		if plain(c) {
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0x1b || r >= 0x80 && r < 0xa0 && r != 0x85:
			i += escapeLen(s[i:], r, size)
			continue
		case r == '\r' && i+1 < len(s) && s[i+1] == '\n': // the next step handles the "\n"
		case r == '\r' || r == 0x85 || r == '\u2028' || r == '\u2029':
			b = append(b, '\n')
		case !hidden(r):
			b = utf8.AppendRune(b, r)
		}
		i += size
	}
	return string(b)
}

// CleanLine is Clean for text that must stay on one line: every line break and
// tab becomes a space, and space at both ends goes.
func CleanLine(s string) string {
	s = Clean(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
	}
	return strings.Trim(s, " ")
}

// CleanLines is the list with CleanLine applied to each text.
func CleanLines(list []string) []string {
	clean := make([]string, len(list))
	for i, s := range list {
		clean[i] = CleanLine(s)
	}
	return clean
}

// plain says that c is ASCII text that Clean keeps.
func plain(c byte) bool { return c >= ' ' && c < 0x7f || c == '\n' || c == '\t' }

// hidden says whether r shows nothing and changes how its neighbours are read.
// Zero-width joiners do not count: scripts and emoji need them.
func hidden(r rune) bool {
	switch {
	case r < ' ' || r == 0x7f:
		return true
	case r == 0x061c || r == 0x200e || r == 0x200f: // direction marks
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069: // overrides and isolates
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags: invisible copies of ASCII
		return true
	}
	return unicode.Is(unicode.Cc, r)
}

// escapeLen is the length of the escape sequence at the start of s, whose
// first rune r (size bytes) is ESC or a C1 control.
func escapeLen(s string, r rune, size int) int {
	intro := r - 0x40 // a C1 control means ESC and this letter
	n := size
	if r == 0x1b {
		if len(s) == 1 {
			return 1
		}
		intro = rune(s[1])
		n = 2
	}
	switch intro {
	case '[':
		return csiLen(s, n)
	case ']', 'P', 'X', '^', '_':
		return stringLen(s, n)
	}
	if r != 0x1b {
		return size
	}
	n = 1
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		return n + 1
	}
	return 1
}

// csiLen is the length of a control sequence whose introducer is n bytes long:
// parameters, intermediates and one final byte.
func csiLen(s string, n int) int {
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
		n++
	}
	return n
}

// stringLen is the length of an escape string whose introducer is n bytes long.
// BEL or ST closes it; any other escape, a line break or the end of the text
// means that it was never closed. Stopping at the next escape also keeps Clean
// linear in the length of the text.
func stringLen(s string, n int) int {
	for i := n; i < len(s); i++ {
		switch s[i] {
		case '\a':
			return i + 1
		case 0x1b:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return n
		case '\n', '\r':
			return n
		case 0xc2:
			if i+1 < len(s) && s[i+1] == 0x9c { // ST as one character
				return i + 2
			}
			if i+1 < len(s) && s[i+1] >= 0x80 && s[i+1] < 0xa0 { // another C1 control
				return n
			}
		}
	}
	return n
}
