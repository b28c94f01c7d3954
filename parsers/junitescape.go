package parsers

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// attr is the value of an attribute, as it is meant.
func (x *xmlScanner) attr(name string) string {
	return meant(x.rawAttr(name))
}

// meant is a value as it is meant, in UTF-8.
func meant(value []byte) string { return asWestern(unescapeXML(string(value))) }

// rawAttr is the value of an attribute, as it is written. It is valid until the
// next token.
func (x *xmlScanner) rawAttr(name string) []byte {
	for i := range x.attrs {
		if a := &x.attrs[i]; string(a.name) == name {
			return x.values[a.begin:a.end]
		}
	}
	return nil
}

// hasAttr says that the tag has an attribute, which may be empty.
func (x *xmlScanner) hasAttr(name string) bool {
	for i := range x.attrs {
		if string(x.attrs[i].name) == name {
			return true
		}
	}
	return false
}

// number is the value of an attribute that is a count; -1 without one.
func (x *xmlScanner) number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(string(x.rawAttr(name))))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// content is the text of a token as it is meant.
func (x *xmlScanner) content() string {
	s := string(x.text)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if x.cdata {
		return s
	}
	return unescapeXML(s)
}

// unescapeXML resolves character references and the entities of XML itself.
// What is neither stays as it is.
func unescapeXML(s string) string {
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
