package engine

import (
	"cmp"
	"slices"

	"cairn/parsers/tool"
	"cairn/result"
)

// resolveClaims decides whose output it is: see the package comment. Its
// answer is in the order in which the tools began to print.
func resolveClaims(claims []*claim, direct *tool.Parser) []*claim {
	kept := slices.DeleteFunc(slices.Clone(claims), func(m *claim) bool { return m.report == nil })
	kept = oneFormatEach(kept)
	if i := slices.IndexFunc(kept, func(m *claim) bool { return m.parser == direct }); direct != nil && i >= 0 {
		return kept[i : i+1]
	}
	kept = slices.DeleteFunc(slices.Clone(kept), func(m *claim) bool { return isNested(m, kept) })
	slices.SortStableFunc(kept, func(a, b *claim) int { return cmp.Compare(a.at, b.at) })
	return kept
}

// oneFormatEach keeps one match per tool: the one that found most, and among
// equals the one that the parser lists first (machine formats come first).
func oneFormatEach(claims []*claim) []*claim {
	var kept []*claim
	for _, m := range claims {
		i := slices.IndexFunc(kept, func(k *claim) bool { return k.parser == m.parser })
		switch {
		case i < 0:
			kept = append(kept, m)
		case better(m, kept[i]):
			kept[i] = m
		}
	}
	return kept
}

func better(a, b *claim) bool {
	if na, nb := len(a.report.Findings), len(b.report.Findings); na != nb {
		return na > nb
	}
	return formatIndex(a) < formatIndex(b)
}

func formatIndex(m *claim) int {
	return slices.IndexFunc(m.parser.Formats, func(f tool.Format) bool { return f.Name == m.format.Name })
}

// isNested: everything that m covers lies within one other match, which covers
// more, or as much and found more, or came first. A match that covers nothing
// is nowhere; it is dropped where others cover something, unless it has
// anything to tell.
func isNested(m *claim, all []*claim) bool {
	mine := size(m.report.Covered)
	if mine == 0 && (len(m.report.Findings) > 0 || m.report.Doubt != "") {
		return false
	}
	for _, other := range all {
		if other == m || !inside(m.report.Covered, other.report.Covered) {
			continue
		}
		theirs := size(other.report.Covered)
		if theirs > mine || theirs == mine && firstOfEqual(other, m) {
			return true
		}
	}
	return false
}

func firstOfEqual(a, b *claim) bool {
	if na, nb := len(a.report.Findings), len(b.report.Findings); na != nb {
		return na > nb
	}
	return a.parser.Tool < b.parser.Tool
}

func inside(spans, outer []result.Span) bool {
	return !slices.ContainsFunc(spans, func(s result.Span) bool { return !within(s, outer) })
}

// within finds s in sorted, disjoint spans.
func within(s result.Span, outer []result.Span) bool {
	i, exact := slices.BinarySearchFunc(outer, s.Start, func(o result.Span, at int64) int { return cmp.Compare(o.Start, at) })
	if !exact {
		i--
	}
	return i >= 0 && outer[i].Start <= s.Start && s.End <= outer[i].End
}

func size(spans []result.Span) (n int64) {
	for _, s := range spans {
		n += s.End - s.Start
	}
	return n
}
