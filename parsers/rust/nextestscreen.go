package rust

import (
	"bufio"
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// On a terminal nextest (since about 0.9.100) draws progress bars of several rows below its output, and ends no row
// with a newline: it fills each row with blanks up to the width of the terminal, so that the text wraps. Then it moves
// the cursor up, to draw over the bars:
//
//	────────────      …      Nextest run ID …      Starting 8 tests …      Running [ 00:00:00] …ESC[2A
//
// The terminal's width is not in the output. It follows from the first row, which has
// a rule, and then only blanks up to its end.

const screenRule = "────────────"

// screenRows reads drawn rows as lines, without the bars, each with the span of bytes that it was drawn from. It yields
// nothing if nothing was drawn.
func screenRows(in *tool.Input, stream tool.Stream, yield func(tool.Line)) {
	s, at := screen{stream: stream, yield: yield}, int64(0)
	pieces := bufio.NewScanner(in.Reader(stream))
	pieces.Buffer(nil, tool.MaxLine)
	searched := 0
	pieces.Split(func(b []byte, ends bool) (int, []byte, error) {
		n := nextPiece(b, searched)
		if n == 0 || n == len(b) && n < tool.MaxLine && !ends && b[n-1] != '\n' {
			searched = max(0, n-len("\x1b[1000A"))
			return 0, nil, nil // the rest of the piece is still to be read
		}
		searched = 0
		return n, b[:n], nil
	})
	for pieces.Scan() {
		s.rows(pieces.Bytes(), at)
		at += int64(len(pieces.Bytes()))
	}
}

// nextPiece is the index at which the first newline, or the first move of the cursor up, from i on ends; else the length
// of b.
func nextPiece(b []byte, i int) int {
	for ; i < len(b); i++ {
		if b[i] == '\n' {
			return i + 1
		}
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '[' {
			if n := read.CsiLen(b[i+2:]); n > 0 && b[i+1+n] == 'A' {
				return i + 2 + n
			}
		}
	}
	return len(b)
}

// screen is a terminal whose width is not known at first.
type screen struct {
	stream tool.Stream
	width  int
	yield  func(tool.Line)
	held   *tool.Line // a row filled to its end, which the next row may continue
	blank  bool       // the last cell of held is blank
}

// rows splits one piece into rows, without what the piece erased.
func (s *screen) rows(b []byte, start int64) {
	ended := bytes.HasSuffix(b, []byte("\n"))
	b = bytes.TrimRight(b, "\r\n")
	if i := max(bytes.LastIndexByte(b, '\r'), bytes.LastIndex(b, []byte("\x1b[2K"))); i >= 0 {
		b, start = b[i+1:], start+int64(i+1)
	}
	if s.width == 0 {
		s.measure(b)
	}
	var row strings.Builder
	cells, from := 0, 0
	for i := 0; i < len(b); {
		if b[i] == 0x1b && i+1 < len(b) {
			i += 2 + read.SequenceLen(b[i+1], b[i+2:])
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if b[i] == '[' && bytes.HasPrefix(b[i:], []byte("[2K")) && i == 0 { // the escape character was cut off above
			i += 3
			continue
		}
		row.WriteRune(r)
		cells += cellsOf(r)
		if i += n; s.width > 0 && cells >= s.width {
			s.row(row.String(), start+int64(from), start+int64(i))
			row.Reset()
			cells, from = 0, i
		}
	}
	if s.width == 0 && !ended { // before nextest's first line, only bars are drawn
		return
	}
	if row.Len() > 0 || ended {
		s.row(row.String(), start+int64(from), start+int64(len(b)))
	}
	s.flush()
}

func (s *screen) flush() {
	if l := s.held; l != nil {
		s.held = nil
		s.yield(*l)
	}
}

// measure finds the width from the first rule.
func (s *screen) measure(b []byte) {
	text := string(read.StripEscapes(b))
	_, behind, ok := strings.Cut(text, screenRule)
	blanks, _, said := strings.Cut(behind, " Nextest run ID ")
	if ok && said && strings.Trim(blanks, " ") == "" {
		s.width = utf8.RuneCountInString(screenRule) + len(blanks)
	}
}

func cellsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// row ends a row. A row that is full to its last cell continues in the next; so does a row whose last cell is a blank
// between words, since nextest indents each line that it begins.
func (s *screen) row(text string, start, end int64) {
	said := strings.TrimRight(text, " ")
	if isScreenBar(said) {
		return
	}
	l := tool.Line{Text: said, Stream: s.stream, Start: start, End: end, Ended: true}
	switch h := s.held; {
	case h == nil:
	case !s.blank && !strings.HasPrefix(said, "    "): // tests' output is indented that far
		l.Text, l.Start = h.Text+said, h.Start
	case s.blank && said != "" && said[0] != ' ' && !strings.HasPrefix(said, "─"):
		l.Text, l.Start = h.Text+" "+said, h.Start
	default:
		s.yield(*h)
	}
	s.held, s.blank = &l, strings.HasSuffix(text, " ")
	if said == "" || len(text)-len(said) > 1 || len(l.Text) >= tool.MaxLine {
		s.flush()
	}
}

// isScreenBar says whether a row is a bar, "     Running [ 00:00:01] ██   2/8: …", or a running test below it. The time
// of a test that has ended is in seconds: "[   0.021s]".
func isScreenBar(s string) bool {
	before, rest, ok := strings.Cut(s, "[ ")
	clock, _, closed := strings.Cut(rest, "]")
	return ok && closed && len(before) <= 13 && len(clock) == len("00:00:00") && strings.Trim(clock, "0123456789:") == ""
}
