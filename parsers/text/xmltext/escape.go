package xmltext

import (
	"strconv"
	"strings"
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
