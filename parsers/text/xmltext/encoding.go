package xmltext

import (
	"bufio"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF8 converts r to UTF-8 if its first bytes (a byte order mark or "<") say that it is UTF-16, as in a report that
// PowerShell redirected into a file.
func UTF8(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	mark, err := b.Peek(2)
	if err != nil {
		return b
	}
	switch string(mark) {
	case "\xff\xfe", "<\x00":
		return &utf16Reader{r: b, high: 1}
	case "\xfe\xff", "\x00<":
		return &utf16Reader{r: b}
	}
	return b
}

// utf16Reader reads UTF-16 as UTF-8. An unpaired surrogate becomes U+FFFD.
type utf16Reader struct {
	r    *bufio.Reader
	high int // index of the high byte in each pair
	rest []byte
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.rest) == 0 {
		c, err := u.unit()
		if err != nil {
			return 0, err
		}
		if utf16.IsSurrogate(c) {
			low, err := u.unit()
			if err != nil {
				return 0, err
			}
			c = utf16.DecodeRune(c, low)
		}
		u.rest = utf8.AppendRune(u.rest[:0], c)
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// western are the characters that Windows code page 1252 has in place of the controls 0x80–0x9f of ISO 8859-1.
// Unassigned bytes stay controls.
const western = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// Western returns s in UTF-8. Invalid UTF-8 is taken for the encoding of Western Europe (code page 1252), in which
// older runners wrote whatever they declared.
func Western(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b, special := make([]byte, 0, len(s)+len(s)/8), []rune(western)
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			if c = rune(s[0]); c >= 0x80 && c < 0xa0 {
				c = special[c-0x80]
			}
		}
		b, s = utf8.AppendRune(b, c), s[n:]
	}
	return string(b)
}

func (u *utf16Reader) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(u.r, b[:]); err != nil {
		return 0, io.EOF
	}
	return rune(b[u.high])<<8 | rune(b[1-u.high]), nil
}
