package parsers

import (
	"bytes"
	"io"
)

// xmlScanner reads XML as a stream of tokens. It is written for reports, which
// are large, often produced by printing rather than by a library, and cut off
// where the program died:
//
//   - Memory is bounded. Text comes in pieces; of an attribute maxXMLValue bytes
//     are kept.
//   - Nothing is expanded but character references and the five entities that
//     XML itself defines: a DOCTYPE is passed over, and an entity that it
//     declares stays as it is written.
//   - Nothing is refused. Bytes that XML forbids are kept, a "<" that opens no
//     tag is text, and what does not fit is noted (broken).
//
// It does not check that tags match: whoever reads the tokens knows which
// elements matter.
type xmlScanner struct {
	src  io.Reader
	buf  []byte
	pos  int   // of the next byte in buf
	len  int   // of what is in buf
	base int64 // offset of buf[0] in src
	eof  bool

	kind   xmlKind
	start  int64  // of the token
	name   []byte // of a tag, without its prefix
	alone  bool   // the tag closes itself
	attrs  []xmlAttr
	text   []byte // of the token: references are not resolved yet, but in CDATA there are none
	cdata  bool
	broken bool // something was not XML
	heads  int  // XML declarations that were passed

	names  []byte // where names are kept while buf moves
	values []byte // the same for attributes
	inside bool   // in a CDATA section
}

type xmlKind uint8

const (
	xmlEnd   xmlKind = iota // of the input
	xmlOpen                 // <name …> or <name …/>
	xmlClose                // </name>
	xmlText
)

// xmlAttr is an attribute; its parts point into the scanner.
type xmlAttr struct {
	name       []byte
	begin, end int // in values
	cut        bool
}

const (
	xmlWindow   = 64 << 10
	maxXMLValue = 64 << 10 // bytes of one attribute: the longest hold a message
	maxXMLName  = 256
	maxXMLAttrs = 64
)

func newXMLScanner(r io.Reader) *xmlScanner {
	return &xmlScanner{src: r, buf: make([]byte, xmlWindow)}
}

// offset is where the next byte stands in the input.
func (x *xmlScanner) offset() int64 { return x.base + int64(x.pos) }

// more reads on, and keeps what was not taken yet. It says whether anything
// came.
func (x *xmlScanner) more() bool {
	if x.eof {
		return false
	}
	copy(x.buf, x.buf[x.pos:x.len])
	x.base += int64(x.pos)
	x.len -= x.pos
	x.pos = 0
	if x.len == len(x.buf) {
		return false
	}
	for range 100 { // a Reader that gives nothing so often is broken (bufio does the same)
		n, err := x.src.Read(x.buf[x.len:])
		x.len += n
		x.eof = err != nil
		if n > 0 || x.eof {
			return n > 0
		}
	}
	x.eof = true
	return false
}

func (x *xmlScanner) window() []byte { return x.buf[x.pos:x.len] }

// has makes sure that n bytes are in the window, if the input has them.
func (x *xmlScanner) has(n int) bool {
	for x.len-x.pos < n {
		if !x.more() {
			return false
		}
	}
	return true
}

// next reads a token.
func (x *xmlScanner) next() xmlKind {
	x.kind = x.token()
	return x.kind
}

func (x *xmlScanner) token() xmlKind {
	for {
		x.start = x.offset()
		if x.inside {
			if x.section() {
				return xmlText
			}
			continue
		}
		if !x.has(1) {
			return xmlEnd
		}
		if x.buf[x.pos] != '<' {
			return x.plainText()
		}
		if kind, ok := x.markup(); ok {
			return kind
		}
	}
}

// plainText takes text up to the next tag, or as much as is there. A reference
// is never cut in two.
func (x *xmlScanner) plainText() xmlKind {
	w := x.window()
	end := bytes.IndexByte(w, '<')
	if end < 0 {
		end = len(w)
		if n := openEnd(w); n > 0 && n < len(w) {
			end -= n
		} else if n > 0 && x.more() {
			return x.plainText()
		}
	}
	x.text, x.cdata = w[:end], false
	x.pos += end
	return xmlText
}

// maxReference is the length of a character reference that is worth waiting
// for.
const maxReference = 16

// openEnd is the length of what may be half a reference or half a line ending
// at the end of w.
func openEnd(w []byte) int {
	tail := w[max(0, len(w)-maxReference):]
	if i := bytes.LastIndexByte(tail, '&'); i >= 0 && bytes.IndexByte(tail[i:], ';') < 0 {
		return len(tail) - i
	}
	if w[len(w)-1] == '\r' {
		return 1
	}
	return 0
}

// section takes text of a CDATA section; false at its end.
func (x *xmlScanner) section() bool {
	x.has(4)
	w := x.window()
	i := bytes.Index(w, []byte("]]>"))
	switch {
	case i == 0:
		x.pos += 3
		x.inside = false
		return false
	case i > 0:
		w = w[:i]
	case x.eof && len(w) > 0:
		x.broken = true
	case len(w) > 3:
		w = w[:len(w)-2]
		if w[len(w)-1] == '\r' {
			w = w[:len(w)-1]
		}
	case x.more():
		return x.section()
	default:
		x.broken, x.inside = true, false
		return false
	}
	x.text, x.cdata = w, true
	x.pos += len(w)
	return true
}

// markup reads what begins with "<". It is false for what is passed over.
func (x *xmlScanner) markup() (kind xmlKind, ok bool) {
	if !x.has(2) {
		return x.loose(), true
	}
	switch c := x.buf[x.pos+1]; {
	case c == '/':
		return x.closing()
	case c == '?':
		if x.has(6) && string(x.window()[:5]) == "<?xml" && isXMLSpace(x.window()[5]) {
			x.heads++
		}
		x.pos += 2
		x.pass("?>")
		return 0, false
	case c == '!':
		return x.declaration()
	case isXMLName(c):
		return x.opening()
	}
	return x.loose(), true
}

// loose is a "<" that opens nothing: text.
func (x *xmlScanner) loose() xmlKind {
	x.broken = true
	x.text, x.cdata = x.buf[x.pos:x.pos+1], true
	x.pos++
	return xmlText
}

func (x *xmlScanner) declaration() (kind xmlKind, ok bool) {
	x.has(len("<![CDATA["))
	switch w := x.window(); {
	case bytes.HasPrefix(w, []byte("<!--")):
		x.pos += 4
		x.pass("-->")
	case bytes.HasPrefix(w, []byte("<![CDATA[")):
		x.pos += len("<![CDATA[")
		x.inside = true
	case len(w) > 2 && (w[2] >= 'A' && w[2] <= 'Z'):
		x.pos += 2
		x.doctype()
	default:
		return x.loose(), true
	}
	return 0, false
}

// pass goes behind the next end.
func (x *xmlScanner) pass(end string) {
	for {
		w := x.window()
		if i := bytes.Index(w, []byte(end)); i >= 0 {
			x.pos += i + len(end)
			return
		}
		x.pos += max(0, len(w)-len(end)+1)
		if !x.more() {
			x.broken, x.pos = true, x.len
			return
		}
	}
}

// doctype goes behind a declaration, its internal subset included.
func (x *xmlScanner) doctype() {
	depth := 0
	var quote byte
	for x.has(1) {
		c := x.buf[x.pos]
		x.pos++
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '<':
			depth++
		case c == ']':
			depth--
		case c == '>':
			if depth--; depth < 0 {
				return
			}
		}
	}
	x.broken = true
}

func isXMLName(c byte) bool { return c|0x20-'a' < 26 || c == '_' || c == ':' || c >= 0x80 }

// isXMLNamePart: of "-" to ":", all but "/".
func isXMLNamePart(c byte) bool { return isXMLName(c) || c-'-' < 14 && c != '/' }

func isXMLSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (x *xmlScanner) closing() (kind xmlKind, ok bool) {
	x.pos += 2
	x.names = x.names[:0]
	x.name = x.readName()
	x.blanks()
	if !x.has(1) {
		x.broken = true
		return xmlEnd, true
	}
	if x.buf[x.pos] == '>' {
		x.pos++
	} else {
		x.broken = true
	}
	return xmlClose, true
}

// readName reads a name and drops its prefix.
func (x *xmlScanner) readName() []byte {
	begin := len(x.names)
	for x.has(1) {
		w := x.window()
		n := nameLen(w)
		x.names = append(x.names, w[:min(n, maxXMLName-len(x.names)+begin)]...)
		if x.pos += n; n < len(w) {
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

func (x *xmlScanner) blanks() {
	for x.pos < x.len || x.has(1) {
		if !isXMLSpace(x.buf[x.pos]) {
			return
		}
		x.pos++
	}
}

// opening reads a start tag. One that the input ends in is none.
func (x *xmlScanner) opening() (kind xmlKind, ok bool) {
	x.pos++
	x.names, x.values, x.attrs, x.alone = x.names[:0], x.values[:0], x.attrs[:0], false
	x.name = x.readName()
	for {
		x.blanks()
		if !x.has(1) {
			x.broken = true
			return xmlEnd, true
		}
		switch c := x.buf[x.pos]; {
		case c == '>':
			x.pos++
			return xmlOpen, true
		case c == '/':
			x.pos++
			x.alone = true
		case isXMLName(c):
			x.attribute()
		case c == '<': // the tag was never closed
			x.broken = true
			return xmlOpen, true
		default:
			x.broken = true
			x.pos++
		}
	}
}

func (x *xmlScanner) attribute() {
	a := xmlAttr{name: x.readName(), begin: len(x.values)}
	x.blanks()
	if x.has(1) && x.buf[x.pos] == '=' {
		x.pos++
		x.blanks()
		a.cut = x.value()
	} else {
		x.broken = true
	}
	a.end = len(x.values)
	if len(x.attrs) < maxXMLAttrs {
		x.attrs = append(x.attrs, a)
	}
}

// value reads a quoted value, and says whether it kept only its beginning.
func (x *xmlScanner) value() (cut bool) {
	if !x.has(1) {
		return true
	}
	quote := x.buf[x.pos]
	if quote != '"' && quote != '\'' {
		x.broken = true
		return false
	}
	x.pos++
	room := maxXMLValue
	for {
		w := x.window()
		i := bytes.IndexByte(w, quote)
		piece := w
		if i >= 0 {
			piece = w[:i]
		}
		kept := min(room, len(piece))
		x.values = append(x.values, piece[:kept]...)
		room -= kept
		cut = cut || kept < len(piece)
		x.pos += len(piece)
		if i >= 0 {
			x.pos++
			return cut
		}
		if !x.more() {
			x.broken = true
			return true
		}
	}
}
