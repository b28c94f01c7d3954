package parsers

import (
	"bytes"
	"iter"
	"strings"
	"unsafe"
)

// MaxLine bounds the text of one line, in bytes. The largest single lines that
// carry a result (go test -json events, NDJSON diagnostics) stay well below;
// a 100 MB line is data, and its first megabyte says what it is.
const MaxLine = 1 << 20

const bothStreams Stream = 0

// Line is one line of output, without its line ending.
type Line struct {
	Text   string // escapes and carriage returns resolved, at most MaxLine bytes
	Stream Stream
	Start  int64 // byte range in the merged output, line ending included
	End    int64
	Cut    bool // longer than MaxLine: the rest is not in Text
	Ended  bool // a newline was seen; false for an unterminated last line
}

// rawLine is a line before its text is made: valid until the next one.
type rawLine struct {
	text       []byte
	stream     Stream
	start, end int64
	cut, ended bool
	calm       int // no word of alarm begins before this offset, if text is plain

	// An eye sets these, and resolves the text.
	alarm  int  // where in text it reports something wrong; -1: nowhere
	binary bool // not text
}

func (l rawLine) line() Line {
	line, own := l.resolved()
	if !own {
		line.Text = strings.Clone(line.Text)
	}
	return line
}

// lent is the line with a text that is valid until the next one.
func (l rawLine) lent() Line {
	line, _ := l.resolved()
	return line
}

// resolved also says whether the text is the line's own.
func (l rawLine) resolved() (line Line, own bool) {
	text := l.text
	if odd(text) {
		text = bytes.TrimRight(text, "\r")
		if own = !plain(text); own {
			text = resolve(text)
		}
	}
	if len(text) > MaxLine { // U+FFFD is longer than the byte it stands for
		text, l.cut = text[:runeCut(text, MaxLine)], true
	}
	return Line{Text: unsafe.String(unsafe.SliceData(text), len(text)), Stream: l.stream, Start: l.start, End: l.end, Cut: l.cut, Ended: l.ended}, own
}

func lines(src Source, want Stream) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		rawLines(src, want, func(l rawLine) bool { return yield(l.line()) })
	}
}

// assembler collects the pieces of one stream's current line.
type assembler struct {
	held  []byte // pieces so far, when the line spans chunks
	start int64
	end   int64 // of what came last
	open  bool
	cut   bool
}

// rawLines splits a source into lines, each stream by itself, in the order in
// which they end. A line within one chunk is not copied.
func rawLines(src Source, want Stream, yield func(rawLine) bool) {
	var parts [3]assembler
	for c := range src.Chunks() {
		if want != bothStreams && c.Stream != want {
			continue
		}
		if !parts[c.Stream].feed(c, yield) {
			return
		}
	}
	flush(&parts, yield)
}

// flush yields the lines that did not end, in the order in which they began.
func flush(parts *[3]assembler, yield func(rawLine) bool) {
	first, second := Stdout, Stderr
	if parts[Stderr].open && parts[Stderr].start < parts[Stdout].start {
		first, second = Stderr, Stdout
	}
	for _, s := range []Stream{first, second} {
		if a := &parts[s]; a.open && !yield(rawLine{text: a.held, stream: s, start: a.start, end: a.end, cut: a.cut}) {
			return
		}
	}
}

func (a *assembler) feed(c Chunk, yield func(rawLine) bool) bool {
	data, at := c.Data, c.Offset
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			a.hold(data, at)
			return true
		}
		l := rawLine{text: data[:i], stream: c.Stream, start: at, end: at + int64(i) + 1, ended: true}
		if a.open {
			a.hold(data[:i], at)
			l.text, l.start, l.cut = a.held, a.start, a.cut
		} else if i > MaxLine {
			l.text, l.cut = data[:MaxLine], true
		}
		if !yield(l) {
			return false
		}
		a.held, a.open, a.cut = a.held[:0], false, false
		data, at = data[i+1:], at+int64(i)+1
	}
	return true
}

func (a *assembler) hold(p []byte, at int64) {
	if !a.open {
		a.open, a.start = true, at
	}
	a.end = at + int64(len(p))
	if room := MaxLine - len(a.held); len(p) > room {
		p, a.cut = p[:room], true
	}
	a.held = append(a.held, p...)
}
