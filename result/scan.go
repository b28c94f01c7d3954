package result

import (
	"unicode"
	"unicode/utf8"
)

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// digits is the number of ASCII digits at s[i].
func digits(s string, i int) int {
	n := 0
	for i+n < len(s) && isDigit(s[i+n]) {
		n++
	}
	return n
}

func hexDigits(s string, i int) int {
	n := 0
	for i+n < len(s) && isHex(s[i+n]) {
		n++
	}
	return n
}

// wordRune is the size in bytes of the word character at s[i]: a letter, a digit, an
// accent or "_". It is 0 for any other character and at the end.
func wordRune(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		if isLetter(c) || isDigit(c) || c == '_' {
			return 1
		}
		return 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return size
	}
	return 0
}

// word is the number of bytes of word characters at s[i].
func word(s string, i int) int {
	n := 0
	for i+n < len(s) {
		if c := s[i+n]; isLetter(c) || isDigit(c) {
			n++
			continue
		}
		size := wordRune(s, i+n)
		if size == 0 {
			break
		}
		n += size
	}
	return n
}

// endsWord says that no word goes on at s[i].
func endsWord(s string, i int) bool { return wordRune(s, i) == 0 }

// has says that s[i:] starts with lit.
func has(s string, i int, lit string) bool { return len(s)-i >= len(lit) && s[i:i+len(lit)] == lit }
