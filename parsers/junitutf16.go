package parsers

import (
	"bufio"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// asUTF8 gives r in UTF-8 where a byte order mark says that it is UTF-16, as a
// report is that PowerShell redirected into a file.
func asUTF8(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	mark, err := b.Peek(2)
	if err != nil {
		return b
	}
	switch {
	case mark[0] == 0xff && mark[1] == 0xfe:
		return &utf16Reader{r: b, high: 1}
	case mark[0] == 0xfe && mark[1] == 0xff:
		return &utf16Reader{r: b}
	}
	return b
}

// utf16Reader reads UTF-16 as UTF-8. Half a pair becomes U+FFFD.
type utf16Reader struct {
	r    *bufio.Reader
	high int // which of two bytes is the high one
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

func (u *utf16Reader) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(u.r, b[:]); err != nil {
		return 0, io.EOF
	}
	return rune(b[u.high])<<8 | rune(b[1-u.high]), nil
}
