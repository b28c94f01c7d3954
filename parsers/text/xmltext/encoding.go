package xmltext

import (
	"bufio"
	"encoding/binary"
	"io"
	"strings"
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
	var order binary.ByteOrder
	switch string(mark) {
	case "\xff\xfe", "<\x00":
		order = binary.LittleEndian
	case "\xfe\xff", "\x00<":
		order = binary.BigEndian
	default:
		return b
	}
	all, _ := io.ReadAll(b)
	units := make([]uint16, len(all)/2)
	for i := range units {
		units[i] = order.Uint16(all[2*i:])
	}
	return strings.NewReader(string(utf16.Decode(units)))
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
