package xmltext

import (
	"bufio"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Attr is the value of an attribute, with its references resolved.
func (x *Scanner) Attr(name string) string { return Meant(x.RawAttr(name)) }

// Meant is an attribute's value in UTF-8, with its references resolved.
func Meant(value []byte) string { return Western(Unescape(string(value))) }

// RawAttr is the value of an attribute as written. It is valid until the next token.
func (x *Scanner) RawAttr(name string) []byte {
	for i := range x.Attrs {
		if a := &x.Attrs[i]; string(a.Name) == name {
			return x.Values[a.Begin:a.End]
		}
	}
	return nil
}

// Number is the value of an attribute that is a count; -1 if it is missing or no count.
func (x *Scanner) Number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(string(x.RawAttr(name))))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// Content is the text of a token, with its references resolved unless it comes from CDATA.
func (x *Scanner) Content() string {
	s := string(x.text)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if x.cdata {
		return s
	}
	return Unescape(s)
}

// Unescape resolves character references and XML's five own entities. Other references stay as written.
func Unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i:]
		n := strings.IndexByte(s[:min(len(s), maxReference)], ';')
		text, ok := "", false
		if n > 0 {
			text, ok = xmlReference(s[1:n])
		}
		if ok {
			b.WriteString(text)
			s = s[n+1:]
		} else {
			b.WriteByte('&')
			s = s[1:]
		}
		i = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

func xmlReference(name string) (text string, ok bool) {
	switch name {
	case "lt":
		return "<", true
	case "gt":
		return ">", true
	case "amp":
		return "&", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return "", false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return "", false
	}
	return string(rune(n)), true
}

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
