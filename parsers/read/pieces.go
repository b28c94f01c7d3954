package read

import (
	"iter"

	"cairn/parsers/internal/term"
	"cairn/parsers/tool"
)

// WholeLine gives the text of a line in pieces: at once or, where it is longer
// than a Line may be, as it was read, escapes not resolved.
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

// PartOfLine is the span of a piece of a line. Where escapes were resolved, offsets
// in the text are not those of the bytes: the line has to do.
func PartOfLine(l term.Line, start, end int64) term.Line {
	if ending := l.End - l.Start - int64(len(l.Text)); !l.Cut && (ending < 0 || ending > 2) || end > l.End {
		return l
	}
	return term.Line{Start: start, End: end}
}
