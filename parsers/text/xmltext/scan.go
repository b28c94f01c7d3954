package xmltext

import (
	"bytes"
	"io"
)

// Scanner reads XML as a stream of tokens. It is written for reports, which are large, often produced by printing
// rather than by a library, and cut off where the program died:
//
//   - Memory is bounded. Text comes in pieces; of an attribute maxXMLValue bytes are kept.
//   - Only character references and the five entities that XML itself defines are expanded. A DOCTYPE is passed over, and references to its entities stay as written.
//   - No input is refused. Bytes that XML forbids are kept, a "<" that opens no tag is text, and Broken says that the input was not XML.
//
// It does not check that tags match: the reader of the tokens knows which elements matter.
type Scanner struct {
	src  io.Reader
	Buf  []byte
	Pos  int   // index of the next byte in Buf
	Len  int   // how many bytes of Buf are filled
	base int64 // offset of Buf[0] in src
	eof  bool

	Kind   xmlKind
	Start  int64  // offset of the token
	Name   []byte // of a tag, without its namespace prefix
	Alone  bool   // the tag closes itself, as in <br/>
	Attrs  []xmlAttr
	text   []byte // of the token, references unresolved; CDATA has no references
	cdata  bool
	Broken bool // something was not XML
	Heads  int  // how many XML declarations were passed

	names  []byte // memory for names, since Buf moves
	Values []byte // memory for the values of attributes
	inside bool   // the scanner is in a CDATA section
}

type xmlKind uint8

const (
	End   xmlKind = iota // end of the input
	Open                 // <name …> or <name …/>
	Close                // </name>
	Text
)

// xmlAttr is an attribute; its parts point into the scanner's memory.
type xmlAttr struct {
	Name       []byte
	Begin, End int // indices in Values
	Cut        bool
}

const (
	Window      = 64 << 10
	maxXMLValue = 64 << 10 // bytes kept of one attribute: the longest ones hold a message
	maxXMLName  = 256
	maxXMLAttrs = 64
)

func NewScanner(r io.Reader) *Scanner { return &Scanner{src: r, Buf: make([]byte, Window)} }

// Offset is the position of the next byte in the input.
func (x *Scanner) Offset() int64 { return x.base + int64(x.Pos) }

// more reads on, and keeps the bytes from Pos on. It reports whether anything was read.
func (x *Scanner) more() bool {
	if x.eof {
		return false
	}
	copy(x.Buf, x.Buf[x.Pos:x.Len])
	x.base += int64(x.Pos)
	x.Len -= x.Pos
	x.Pos = 0
	if x.Len == len(x.Buf) {
		return false
	}
	for range 100 { // a Reader that returns nothing 100 times is broken (bufio uses the same bound)
		n, err := x.src.Read(x.Buf[x.Len:])
		x.Len += n
		x.eof = err != nil
		if n > 0 || x.eof {
			return n > 0
		}
	}
	x.eof = true
	return false
}

func (x *Scanner) Window() []byte { return x.Buf[x.Pos:x.Len] }

// Has reads on until the window holds n bytes; it returns false if the input ends before.
func (x *Scanner) Has(n int) bool {
	for x.Len-x.Pos < n {
		if !x.more() {
			return false
		}
	}
	return true
}

// Next reads the next token and returns its kind.
func (x *Scanner) Next() xmlKind {
	x.Kind = x.token()
	return x.Kind
}

func (x *Scanner) token() xmlKind {
	for {
		x.Start = x.Offset()
		if x.inside {
			if x.section() {
				return Text
			}
			continue
		}
		if !x.Has(1) {
			return End
		}
		if x.Buf[x.Pos] != '<' {
			return x.plainText()
		}
		if kind, ok := x.Markup(); ok {
			return kind
		}
	}
}

// plainText reads text up to the next tag, or as much as the window holds. It does not cut a reference in two.
func (x *Scanner) plainText() xmlKind {
	w := x.Window()
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
	x.Pos += end
	return Text
}

// maxReference is the most bytes of an unfinished character reference for which plainText reads on.
const maxReference = 16

// openEnd is the length of an unfinished reference or line ending at the end of w, 0 without one.
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

// section reads text of a CDATA section; false at its end.
func (x *Scanner) section() bool {
	x.Has(4)
	w := x.Window()
	i := bytes.Index(w, []byte("]]>"))
	switch {
	case i == 0:
		x.Pos += 3
		x.inside = false
		return false
	case i > 0:
		w = w[:i]
	case x.eof && len(w) > 0:
		x.Broken = true
	case len(w) > 3:
		w = w[:len(w)-2]
		if w[len(w)-1] == '\r' {
			w = w[:len(w)-1]
		}
	case x.more():
		return x.section()
	default:
		x.Broken, x.inside = true, false
		return false
	}
	x.text, x.cdata = w, true
	x.Pos += len(w)
	return true
}

// Markup reads what begins with "<". ok is false if it is to be skipped, such as a comment.
func (x *Scanner) Markup() (kind xmlKind, ok bool) {
	if !x.Has(2) {
		return x.loose(), true
	}
	switch c := x.Buf[x.Pos+1]; {
	case c == '/':
		return x.closing()
	case c == '?':
		if x.Has(6) && string(x.Window()[:5]) == "<?xml" && IsSpace(x.Window()[5]) {
			x.Heads++
		}
		x.Pos += 2
		x.Pass("?>")
		return 0, false
	case c == '!':
		return x.declaration()
	case isXMLName(c):
		return x.opening()
	}
	return x.loose(), true
}

// loose returns a "<" that opens no tag as text.
func (x *Scanner) loose() xmlKind {
	x.Broken = true
	x.text, x.cdata = x.Buf[x.Pos:x.Pos+1], true
	x.Pos++
	return Text
}

func (x *Scanner) declaration() (kind xmlKind, ok bool) {
	x.Has(len("<![CDATA["))
	switch w := x.Window(); {
	case bytes.HasPrefix(w, []byte("<!--")):
		x.Pos += 4
		x.Pass("-->")
	case bytes.HasPrefix(w, []byte("<![CDATA[")):
		x.Pos += len("<![CDATA[")
		x.inside = true
	case len(w) > 2 && (w[2] >= 'A' && w[2] <= 'Z'):
		x.Pos += 2
		x.doctype()
	default:
		return x.loose(), true
	}
	return 0, false
}

// Pass skips everything up to and including the next end.
func (x *Scanner) Pass(end string) {
	for {
		w := x.Window()
		if i := bytes.Index(w, []byte(end)); i >= 0 {
			x.Pos += i + len(end)
			return
		}
		x.Pos += max(0, len(w)-len(end)+1)
		if !x.more() {
			x.Broken, x.Pos = true, x.Len
			return
		}
	}
}

// doctype skips a DOCTYPE declaration with its internal subset.
func (x *Scanner) doctype() {
	depth := 0
	var quote byte
	for x.Has(1) {
		c := x.Buf[x.Pos]
		x.Pos++
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
	x.Broken = true
}
