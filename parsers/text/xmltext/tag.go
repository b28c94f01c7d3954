package xmltext

import (
	"bytes"
	"strings"
)

func isXMLName(c byte) bool { return c|0x20-'a' < 26 || c == '_' || c == ':' || c >= 0x80 }

// isXMLNamePart reports whether c may be part of a name: also "-", ".", digits and ":", the bytes from "-" to ":"
// without "/".
func isXMLNamePart(c byte) bool { return isXMLName(c) || c-'-' < 14 && c != '/' }

func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (x *Scanner) closing() (kind xmlKind, ok bool) {
	x.Pos += 2
	x.names = x.names[:0]
	x.Name = x.readName()
	x.blanks()
	if !x.Has(1) {
		x.Broken = true
		return End, true
	}
	if x.Buf[x.Pos] == '>' {
		x.Pos++
	} else {
		x.Broken = true
	}
	return Close, true
}

// readName reads a name and drops its namespace prefix.
func (x *Scanner) readName() []byte {
	begin := len(x.names)
	for x.Has(1) {
		w := x.Window()
		n := nameLen(w)
		x.names = append(x.names, w[:min(n, maxXMLName-len(x.names)+begin)]...)
		if x.Pos += n; n < len(w) {
			break
		}
	}
	name := x.names[begin:]
	if i := bytes.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return name
}

func nameLen(w []byte) int {
	for i, c := range w {
		if !isXMLNamePart(c) {
			return i
		}
	}
	return len(w)
}

func (x *Scanner) blanks() {
	for x.Pos < x.Len || x.Has(1) {
		if !IsSpace(x.Buf[x.Pos]) {
			return
		}
		x.Pos++
	}
}

// opening reads a start tag; it returns End if the input ends within the tag.
func (x *Scanner) opening() (kind xmlKind, ok bool) {
	x.Pos++
	x.names, x.Values, x.Attrs, x.Alone = x.names[:0], x.Values[:0], x.Attrs[:0], false
	x.Name = x.readName()
	for {
		x.blanks()
		if !x.Has(1) {
			x.Broken = true
			return End, true
		}
		switch c := x.Buf[x.Pos]; {
		case c == '>':
			x.Pos++
			return Open, true
		case c == '/':
			x.Pos++
			x.Alone = true
		case isXMLName(c):
			x.attribute()
		case c == '<': // the tag was never closed
			x.Broken = true
			return Open, true
		default:
			x.Broken = true
			x.Pos++
		}
	}
}

func (x *Scanner) attribute() {
	a := xmlAttr{Name: x.readName(), Begin: len(x.Values)}
	x.blanks()
	if x.Has(1) && x.Buf[x.Pos] == '=' {
		x.Pos++
		x.blanks()
		a.Cut = x.value()
	} else {
		x.Broken = true
	}
	a.End = len(x.Values)
	if len(x.Attrs) < maxXMLAttrs {
		x.Attrs = append(x.Attrs, a)
	}
}

// value reads a quoted value, and says whether it kept only its beginning.
func (x *Scanner) value() (cut bool) {
	if !x.Has(1) {
		return true
	}
	quote := x.Buf[x.Pos]
	if quote != '"' && quote != '\'' {
		x.Broken = true
		return false
	}
	x.Pos++
	room := maxXMLValue
	for {
		w := x.Window()
		i := bytes.IndexByte(w, quote)
		piece := w
		if i >= 0 {
			piece = w[:i]
		}
		kept := min(room, len(piece))
		x.Values = append(x.Values, piece[:kept]...)
		room -= kept
		cut = cut || kept < len(piece)
		x.Pos += len(piece)
		if i >= 0 {
			x.Pos++
			return cut
		}
		if !x.more() {
			x.Broken = true
			return true
		}
	}
}

// Attribute is the value of an attribute of the tag at the start of a line, in documents that have one tag per
// line.
func Attribute(text, name string) string {
	_, value, _ := strings.Cut(text, " "+name+`="`)
	value, _, ok := strings.Cut(value, `"`)
	if !ok {
		return ""
	}
	return Unescape(value)
}
