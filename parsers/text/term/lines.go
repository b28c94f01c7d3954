package term

import (
	"bytes"
	"iter"
	"strings"
	"unsafe"

	"cairn/parsers/text/lex"
)

// MaxLine bounds the text of one line, in bytes. The longest lines that carry a result (go test -json events,
// NDJSON diagnostics) stay well below. A 100 MB line is data, and its first megabyte shows of what kind.
const MaxLine = 1 << 20

const Both Stream = 0

// Line is one line of output, without its line ending.
type Line struct {
	Text   string // escapes and carriage returns resolved, at most MaxLine bytes
	Stream Stream
	Start  int64 // byte range in the merged output, line ending included
	End    int64
	Cut    bool // longer than MaxLine: the rest is not in Text
	Ended  bool // a newline was seen; false for an unterminated last line
}

// RawLine is a line with its bytes unresolved. It is valid until the next line.
type RawLine struct {
	Text       []byte
	Stream     Stream
	Start, End int64
	Cut, Ended bool
	Beyond     int64 // how many bytes of the line, without its ending, follow Text

	// scan.Scanner sets these, and resolves Text.
	Alarm  int  // index in Text at which it reports trouble; -1: nowhere
	Binary bool // not text
}

// Lent returns the line with its text resolved but not copied: it is valid until the next line.
func (l RawLine) Lent() Line {
	text := l.Text
	if Odd(text) {
		if text = bytes.TrimRight(text, "\r"); !Plain(text) {
			text = Resolve(text)
		}
	}
	if len(text) > MaxLine { // U+FFFD is longer than the byte that it replaces
		text, l.Cut = text[:lex.RuneCut(text, MaxLine)], true
	}
	return Line{Text: unsafe.String(unsafe.SliceData(text), len(text)), Stream: l.Stream, Start: l.Start, End: l.End, Cut: l.Cut, Ended: l.Ended}
}

// Lines yields the lines of a source, assembled per stream, in the order in which they end.
func Lines(src Source, want Stream) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for l := range LentLines(src, want) {
			l.Text = strings.Clone(l.Text)
			if !yield(l) {
				return
			}
		}
	}
}

// LentLines is Lines with texts that are valid only until the next line. Every reader goes through all of an
// output, so lines that lie in one chunk, which are most, are yielded without building a RawLine.
func LentLines(src Source, want Stream) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		one := func(l RawLine) bool { return yield(l.Lent()) }
		var parts [3]Assembler
		for c := range src.Chunks() {
			if want != Both && c.Stream != want {
				continue
			}
			a := &parts[c.Stream]
			if a.Open && !a.Feed(c.Take(firstLine(c.Data)), one) || !lentWhole(&c, yield) || !a.Feed(c, one) {
				return
			}
		}
		Flush(&parts, one)
	}
}

// firstLine is the length of data's first line, newline included; without a newline, the length of data.
func firstLine(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return len(data)
}

// lentWhole yields the whole lines of a chunk and removes them from it.
func lentWhole(c *Chunk, yield func(Line) bool) bool {
	for data, at := c.Data, c.Offset; ; {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			c.Data, c.Offset = data, at
			return true
		}
		text, end := data[:i], at+int64(i)+1
		ok := false
		if len(text) <= MaxLine && !Odd(text) {
			ok = yield(Line{Text: unsafe.String(unsafe.SliceData(text), len(text)), Stream: c.Stream, Start: at, End: end, Ended: true})
		} else {
			l := RawLine{Text: text, Stream: c.Stream, Start: at, End: end, Ended: true}
			l.Bound()
			ok = yield(l.Lent())
		}
		if !ok {
			return false
		}
		data, at = data[i+1:], end
	}
}

// Assembler collects the pieces of one stream's current line.
type Assembler struct {
	held  []byte // the pieces so far, if the line spans chunks
	size  int64  // bytes of all pieces
	start int64
	end   int64 // offset behind the last piece
	Open  bool
	cut   bool
}

// RawLines yields the lines of a source, assembled per stream, in the order in which they end. A line within one
// chunk is not copied.
func RawLines(src Source, want Stream, yield func(RawLine) bool) {
	var parts [3]Assembler
	for c := range src.Chunks() {
		if want != Both && c.Stream != want {
			continue
		}
		if !parts[c.Stream].Feed(c, yield) {
			return
		}
	}
	Flush(&parts, yield)
}

// Flush yields the lines that did not end with a newline, in the order in which they began.
func Flush(parts *[3]Assembler, yield func(RawLine) bool) {
	first, second := Stdout, Stderr
	if parts[Stderr].Open && parts[Stderr].start < parts[Stdout].start {
		first, second = Stderr, Stdout
	}
	for _, s := range []Stream{first, second} {
		if a := &parts[s]; a.Open && !yield(RawLine{Text: a.held, Stream: s, Start: a.start, End: a.end, Cut: a.cut, Beyond: a.beyond()}) {
			return
		}
	}
}

func (a *Assembler) Feed(c Chunk, yield func(RawLine) bool) bool {
	data, at := c.Data, c.Offset
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			a.hold(data, at)
			return true
		}
		l := RawLine{Text: data[:i], Stream: c.Stream, Start: at, End: at + int64(i) + 1, Ended: true}
		if a.Open {
			a.hold(data[:i], at)
			l.Text, l.Start, l.Cut, l.Beyond = a.held, a.start, a.cut, a.beyond()
		} else {
			l.Bound()
		}
		if !yield(l) {
			return false
		}
		a.held, a.size, a.Open, a.cut = a.held[:0], 0, false, false
		data, at = data[i+1:], at+int64(i)+1
	}
	return true
}

func (a *Assembler) hold(p []byte, at int64) {
	if !a.Open {
		a.Open, a.start = true, at
	}
	a.end = at + int64(len(p))
	a.size += int64(len(p))
	if room := MaxLine - len(a.held); len(p) > room {
		p, a.cut = p[:room], true
	}
	a.held = append(a.held, p...)
}

func (a *Assembler) beyond() int64 { return a.size - int64(len(a.held)) }

// Bound cuts Text to MaxLine bytes.
func (l *RawLine) Bound() {
	if n := len(l.Text); n > MaxLine {
		l.Text, l.Cut, l.Beyond = l.Text[:MaxLine], true, int64(n-MaxLine)
	}
}
