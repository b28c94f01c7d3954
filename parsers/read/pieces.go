package read

import (
	"iter"
	"strings"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// WholeLine yields the text of a line in pieces, each with its offset in the output. A line that fits into a Line
// is one piece. A longer line is read again from the source, in its chunks, with escape sequences.
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

// PartOfLine is the part of a line from start to end, which are offsets in the output. If the line held escape
// sequences, offsets in its text do not correspond to offsets in the output, and the whole line is returned.
func PartOfLine(l term.Line, start, end int64) term.Line {
	if ending := l.End - l.Start - int64(len(l.Text)); !l.Cut && (ending < 0 || ending > 2) || end > l.End {
		return l
	}
	return term.Line{Start: start, End: end}
}

// CutGlued removes the bracket that ends a JSON document from the beginning of a line. Some programs write no
// newline behind it, so their next output begins on the same line.
func CutGlued(l term.Line) (rest term.Line, ok bool) {
	if len(l.Text) < 2 || l.Text[0] != ']' && l.Text[0] != '}' || strings.IndexByte(" ,]}", l.Text[1]) >= 0 {
		return l, false
	}
	l.Text, l.Start = l.Text[1:], l.Start+1
	return l, true
}
