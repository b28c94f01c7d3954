package read

import (
	"iter"
	"strings"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// WholeLine gives the text of a line, each piece with its offset in the output. A line
// that fits into a Line is one piece. A longer line is read from the source again, in the
// pieces in which it came, with its escape sequences.
func WholeLine(in *tool.Input, l term.Line) iter.Seq2[int64, string] {
	return func(yield func(int64, string) bool) {
		if !l.Cut {
			yield(l.Start, l.Text)
			return
		}
		for c := range in.Source.Chunks() {
			if c.Offset >= l.End {
				return
			}
			from, to := max(l.Start-c.Offset, 0), min(l.End-c.Offset, int64(len(c.Data)))
			if c.Stream == l.Stream && from < to && !yield(c.Offset+from, string(c.Data[from:to])) {
				return
			}
		}
	}
}

// PartOfLine is the span of a piece of a line, from start to end in the output. If the
// line held escape sequences, offsets in its text do not lead to bytes of the output, and
// the span is that of the whole line.
func PartOfLine(l term.Line, start, end int64) term.Line {
	if ending := l.End - l.Start - int64(len(l.Text)); !l.Cut && (ending < 0 || ending > 2) || end > l.End {
		return l
	}
	return term.Line{Start: start, End: end}
}

// CutGlued takes off the bracket that ends a document of JSON. Some programs write no line
// end behind the bracket, so what they print next begins on the same line.
func CutGlued(l term.Line) (rest term.Line, ok bool) {
	if len(l.Text) < 2 || l.Text[0] != ']' && l.Text[0] != '}' || strings.IndexByte(" ,]}", l.Text[1]) >= 0 {
		return l, false
	}
	l.Text, l.Start = l.Text[1:], l.Start+1
	return l, true
}
