package pytest

import (
	"cmp"
	"slices"

	"cairn/parsers/tool"
	"cairn/result"
)

// maxGaps bounds how often the streams may alternate and be told apart.
const maxGaps = 1 << 16

// pass remembers where the lines of this stream are: what the other one says
// meanwhile is not pytest's.
func (r *pytestReader) pass(l tool.Line) {
	if n := len(r.passed); n > 0 && (l.Start <= r.passed[n-1].End || n == maxGaps) {
		r.passed[n-1].End = max(r.passed[n-1].End, l.End)
		return
	}
	r.passed = append(r.passed, result.Span{Start: l.Start, End: l.End})
}

// between are the lines of this stream from start to end.
func (r *pytestReader) between(start, end int64) []result.Span {
	from, _ := slices.BinarySearchFunc(r.passed, start, func(s result.Span, at int64) int { return cmp.Compare(s.End, at+1) })
	var spans []result.Span
	for _, s := range r.passed[from:] {
		if s.Start >= end {
			break
		}
		spans = append(spans, result.Span{Start: max(s.Start, start), End: min(s.End, end)})
	}
	return spans
}
