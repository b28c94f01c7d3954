package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/tool"
	"cairn/result"
)

// decideClaims decides which tools the output belongs to: see the comment of package parsers. The matches it keeps
// are in the order in which the tools began to print.
func (s *Session) decideClaims() []*claim {
	direct := s.direct()
	s.muted = nil
	kept := slices.DeleteFunc(slices.Clone(s.claims), func(m *claim) bool { return m.report == nil })
	kept = oneReportEach(kept, direct == nil)
	if i := slices.IndexFunc(kept, func(m *claim) bool { return m.parser == direct }); direct != nil && i >= 0 {
		if !slices.ContainsFunc(kept, kept[i].toldBy) && !slices.ContainsFunc(kept, kept[i].ran) {
			return kept[i : i+1]
		}
		if !slices.ContainsFunc(kept, kept[i].ran) {
			kept = slices.Delete(kept, i, i+1)
		}
	}
	kept = s.withoutRetold(kept)
	kept = slices.DeleteFunc(slices.Clone(kept), func(m *claim) bool { return s.isNested(m, s.rivals(m, kept)) })
	kept = s.withoutPassedOn(s.withoutRunners(s.shapesOf(kept)))
	slices.SortStableFunc(kept, func(a, b *claim) int { return cmp.Compare(a.at, b.at) })
	return s.withoutTwins(kept)
}

// toldBy reports whether o replaces m, the match of the tool that was run: m's reader found nothing in the output,
// and o found findings in a complete document, such as a report, of a form that any tool may write.
func (m *claim) toldBy(o *claim) bool {
	whole := o != m && o.report.Complete && o.report.Doubt == "" && len(o.report.Findings) > 0
	return whole && (m.tellsNothing() || o.isAnyones() && m.findsNone())
}

// ran reports whether m is a language's match, whose program printed o, a report of failed tests, before an error
// ended the program; or the match of a tool such as mix, where a task that the project defines ran the tool's tests.
func (m *claim) ran(o *claim) bool {
	own := o.parser.Family == m.parser.Tool && m.parser.Kind == result.Build
	if o == m || !o.report.Tested || o.report.Failures() == 0 || !own && m.parser.Kind != result.Generic {
		return false
	}
	return own || apart(m, o) || inside(m.report.Covered, o.report.Covered) && !slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool {
		return !slices.ContainsFunc(o.report.Findings, func(own result.Finding) bool { return samePlace(f, own) && strings.HasPrefix(f.Message, own.Message) })
	})
}

// findsNone reports whether m's reader made no finding, even if it read how many there are.
func (m *claim) findsNone() bool {
	r := m.report
	return r != nil && m.found() == 0 && r.Meaning == "" && (!r.Tested || max(r.Claimed, r.Problems) > 0)
}

// tellsNothing reports whether m's reader recognised nothing in the output.
func (m *claim) tellsNothing() bool {
	r := m.report
	return r == nil || len(r.Findings) == 0 && (!r.Complete || r.Doubt != "") && r.Claimed <= 0 && r.Meaning == ""
}

// withoutRetold removes matches in formats that any tool may write whose lines a tool that speaks for itself has
// read. If such a match is a plain list of findings, those that no such tool has read stay, as another tool's. But
// if a tool doubts its own report, the unread lines may be its own, so the list is removed as a whole.
func (s *Session) withoutRetold(claims []*claim) (kept []*claim) {
	var told []result.Span
	doubt := false
	for _, m := range claims {
		if !m.isAnyones() && s.speaksForItself(m) {
			told, doubt = append(told, m.report.Covered...), doubt || m.report.Doubt != ""
		}
	}
	told = disjoint(told)
	for _, m := range claims {
		again := m.isAnyones() && slices.ContainsFunc(m.report.Covered, func(c result.Span) bool { return overlaps(c, told) })
		if again && doubt {
			continue
		}
		if again {
			m = m.without(told)
		}
		if m != nil {
			kept = append(kept, m)
		}
	}
	return kept
}

// withoutTwins removes findings from a plain list if another list has the same findings on the same lines: of
// several programs in one command line, such as kustomize and kubectl, more than one may begin an error with the
// same word.
func (s *Session) withoutTwins(claims []*claim) (kept []*claim) {
	for _, m := range claims {
		var told []result.Span
		for _, f := range m.report.Findings {
			if slices.ContainsFunc(kept, func(o *claim) bool { return o.parser != m.parser && s.isPlain(o) && o.reads(f) }) {
				told = append(told, *f.RawSpan)
			}
		}
		if len(told) > 0 && s.isPlain(m) {
			m = m.without(told)
		}
		if m != nil {
			kept = append(kept, m)
		}
	}
	return kept
}

// isPlain reports whether m is only a list of findings, of a program that the command line names.
func (s *Session) isPlain(m *claim) bool {
	rep := m.report
	return slices.Contains(s.named, m.parser) && !rep.Tested && rep.Claimed <= 0 && rep.Dropped == 0 && len(rep.Counts) == 0
}

// reads reports whether m has the same finding on the same lines.
func (m *claim) reads(f result.Finding) bool {
	return slices.ContainsFunc(m.report.Findings, func(g result.Finding) bool {
		return g.RawSpan != nil && f.RawSpan != nil && *g.RawSpan == *f.RawSpan && g.Message == f.Message && g.Severity == f.Severity
	})
}

// without returns a list of findings without those that lie in the given spans. It is nil if none are left, or if
// the report is more than a list: its counts would include the removed ones.
func (m *claim) without(told []result.Span) *claim {
	rep := *m.report
	if rep.Tested || rep.Claimed > 0 || len(rep.Counts) > 0 || rep.Dropped > 0 {
		return nil
	}
	rest := *m
	rest.report, rep.Findings, rep.Covered = &rep, nil, nil
	for _, f := range m.report.Findings {
		if f.RawSpan != nil && !overlaps(*f.RawSpan, told) {
			rep.Findings = append(rep.Findings, f)
			rep.Covered = append(rep.Covered, *f.RawSpan)
		}
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	rep.Covered = disjoint(rep.Covered)
	rep.Counts = tool.BySeverity(rep.Findings) // for the sum of all parts
	return &rest
}

// isAnyones reports whether m's format is one that any tool may write, such as SARIF.
func (m *claim) isAnyones() bool { return m.format.Evidence == tool.Shape && m.parser.Matches == nil }

// speaksForItself reports whether more than the shape of m's lines shows which tool wrote them.
func (s *Session) speaksForItself(m *claim) bool {
	return m.format.Evidence == tool.Signature || m.report.Signed || slices.Contains(s.named, m.parser)
}

// rivals are the matches that hide m if m lies within one of them: all, except for those of a parser that the
// project declared, which adds to what others find and hides nothing.
func (s *Session) rivals(m *claim, all []*claim) []*claim {
	if s.in.As == nil || m.parser == s.in.As {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *claim) bool { return o.parser == s.in.As && s.table.Tool(o.parser.Tool) != o.parser })
}

// shapesOf removes the tool's name from matches that only their shape supports. Of all such matches the one with
// the most findings stays, under the name of the program that was run.
func (s *Session) shapesOf(claims []*claim) (kept []*claim) {
	var best *claim
	for _, m := range claims {
		switch {
		case s.speaksForItself(m):
			kept = append(kept, m)
		case len(m.report.Findings) > 0 && (best == nil || better(m, best)):
			best = m
		}
	}
	if best != nil {
		anyones, rep := best.isAnyones(), best.report
		if anyones && len(kept) == 1 && explains(rep, kept[0].report) {
			kept[0] = explained(kept[0], rep)
			return kept
		}
		// A format that any tool may write belongs to the tool that was run directly.
		best.shape = !anyones || s.direct() == nil
		best.exact = anyones && rep.Complete && rep.Doubt == "" && rep.Dropped == 0
		best.parser = s.program(best.parser)
		kept = append(kept, best)
	}
	return kept
}

// explains reports whether summary only counts failures, and messages has as many.
func explains(messages, summary *tool.Report) bool {
	return summary.Claimed > 0 && len(summary.Findings) == 0 && messages.Failures() == summary.Claimed
}

// explained returns a tool's summary with the findings of its messages.
func explained(m *claim, messages *tool.Report) *claim {
	both, rep := *m, *m.report
	rep.Findings = messages.Findings
	rep.Dropped += messages.Dropped
	rep.Covered = disjoint(slices.Concat(rep.Covered, messages.Covered))
	both.report = &rep
	return &both
}

// program is a parser that stands for the program that was run.
func (s *Session) program(like *tool.Parser) *tool.Parser {
	p := &tool.Parser{Tool: cmp.Or(s.in.Tool, s.command.Program()), Kind: result.Generic, Version: 1}
	if d := s.direct(); d != nil {
		p.Tool, p.Family, p.Kind, p.Matches = d.Tool, d.Family, d.Kind, d.Matches
	}
	if like != nil {
		p.ColumnUnit = like.ColumnUnit
	}
	return p
}

// oneReportEach keeps one match per tool. Of two formats that read the same lines it keeps the one with the most
// findings, and among equals the one that the parser lists first (machine formats come first). Two that read
// different lines are joined if the tool may have run twice.
func oneReportEach(claims []*claim, twice bool) []*claim {
	var kept []*claim
	for _, m := range claims {
		i := slices.IndexFunc(kept, func(k *claim) bool { return k.parser == m.parser })
		switch {
		case i < 0:
			kept = append(kept, m)
		case twice && apart(m, kept[i]):
			kept[i] = joined(kept[i], m)
		case better(m, kept[i]):
			kept[i] = m
		}
	}
	return kept
}

// apart reports whether both have findings, and no line is read by both.
func apart(a, b *claim) bool {
	if len(a.report.Findings) == 0 || len(b.report.Findings) == 0 || size(a.report.Covered) == 0 || size(b.report.Covered) == 0 {
		return false
	}
	return !slices.ContainsFunc(a.report.Covered, func(s result.Span) bool { return overlaps(s, b.report.Covered) })
}

// overlaps reports whether a part of s lies in outer, which is sorted and disjoint.
func overlaps(s result.Span, outer []result.Span) bool {
	i, _ := slices.BinarySearchFunc(outer, s.Start, func(o result.Span, at int64) int { return cmp.Compare(o.End, at+1) })
	return i < len(outer) && outer[i].Start < s.End
}

// joined is the match of two formats of one tool that read different lines.
func joined(a, b *claim) *claim {
	if b.at < a.at {
		a, b = b, a
	}
	both := *a
	rep := *a.report
	rep.Findings, rep.Counts = slices.Clone(rep.Findings), maps.Clone(rep.Counts)
	joinReports(&rep, b.report)
	rep.Covered = disjoint(slices.Concat(a.report.Covered, b.report.Covered))
	both.report = &rep
	return &both
}

// accounts reports whether the tool's closing line was read and all failures that the tool counts were found.
func (m *claim) accounts() bool {
	r := m.report
	return r.Complete && r.Tested && r.Claimed > 0 && r.Failures() == r.Claimed && r.Doubt == ""
}

// outweighs reports whether m is the complete report of a test run, and o only a list of findings.
func (m *claim) outweighs(o *claim) bool {
	return m.accounts() && !o.report.Tested && o.report.Claimed <= 0
}

// better reports whether a is to be kept rather than b: a match that has all failures that the tool counts, however
// many exceptions another format sees in the same lines, or else the one with more findings.
func better(a, b *claim) bool {
	if whole := a.outweighs(b); whole || b.outweighs(a) {
		return whole
	}
	if na, nb := a.found(), b.found(); na != nb {
		return na > nb
	}
	if a.report.Complete != b.report.Complete { // a test printed a line of the other format
		return a.report.Complete
	}
	return formatIndex(a) < formatIndex(b)
}

// found is the number of m's findings, dropped ones included.
func (m *claim) found() int { return len(m.report.Findings) + m.report.Dropped }

func formatIndex(m *claim) int {
	return slices.IndexFunc(m.parser.Formats, func(f tool.Format) bool { return f.Name == m.format.Name })
}

// isNested reports whether all lines that m covers lie within one other match that covers more lines, or as many
// with more findings, or as many and came first. A match that covers no lines is dropped if others cover some,
// unless it has findings or a doubt.
func (s *Session) isNested(m *claim, all []*claim) bool {
	mine := size(m.report.Covered)
	if mine == 0 && (len(m.report.Findings) > 0 || m.report.Doubt != "") {
		return false
	}
	for _, other := range all {
		if other == m || !inside(m.report.Covered, other.report.Covered) {
			continue
		}
		theirs := size(other.report.Covered)
		if (theirs > mine || theirs == mine && firstOfEqual(other, m)) && !s.isBeside(m, other, all) {
			return true
		}
	}
	return false
}

// isBeside reports whether m and o come from different commands although o covers all lines up to an end of the
// output: m reads those lines as its own tool's, with the tool's closing line, so another command printed them
// before or after o's. Only such matches may lie between them and the end. Both must report failures, so that a
// success does not become a failure, and no finding of o may lie in the lines. If the command line names m's tool,
// or a runner shows its command, m needs no signature of its own.
func (s *Session) isBeside(m, o *claim, all []*claim) bool {
	if !s.mayBeBeside(m, o) {
		return false
	}
	mine, theirs := extent(m.report.Covered), extent(o.report.Covered)
	for from, to := theirs.Start, theirs.End; ; {
		if mine.Start <= from+betweenCommands || to-betweenCommands <= mine.End {
			return true
		}
		i := slices.IndexFunc(all, func(c *claim) bool {
			x := extent(c.report.Covered)
			before := x.Start <= from+betweenCommands && x.End > from+betweenCommands
			behind := x.Start < to-betweenCommands && x.End >= to-betweenCommands
			return c != m && c != o && (before || behind) && s.mayBeBeside(c, o)
		})
		if i < 0 {
			return false
		}
		if x := extent(all[i].report.Covered); x.Start <= from+betweenCommands {
			from = x.End
		} else {
			to = x.Start
		}
	}
}

// betweenCommands is how many bytes a script may print between the outputs of two commands.
const betweenCommands = 400

// mayBeBeside checks the conditions of isBeside that depend on m and o alone. If o did not keep all findings, the
// places of the others are unknown, so it is false.
func (s *Session) mayBeBeside(m, o *claim) bool {
	rep, lines := m.report, m.report.Covered
	if o.report.Dropped > 0 || m.format.Evidence != tool.Signature || !rep.Complete || len(lines) == 0 || o.report.Failures() == 0 && o.report.Claimed <= 0 {
		return false
	}
	if !slices.Contains(s.named, m.parser) {
		if lines = []result.Span{extent(lines)}; !m.starts || !speaksForItself(m.parser.Kind) && !m.isThrownBeside(o) || rep.Failures() == 0 {
			return false
		}
	}
	return m.found() > 0 && inside(rep.Covered, o.report.Covered) && !slices.ContainsFunc(o.report.Findings, func(f result.Finding) bool {
		return f.RawSpan != nil && isWithin(lines, f.RawSpan.Start) || slices.ContainsFunc(rep.Findings, func(own result.Finding) bool { return samePlace(f, own) })
	})
}

// isThrownBeside reports whether m is an exception that ended a program of its own, and not what o says of one: o quotes no
// message of m's and, if it runs tests, has told all failures before.
func (m *claim) isThrownBeside(o *claim) bool {
	from := extent(m.report.Covered).Start
	return m.parser.Kind == result.Generic && !slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool {
		return f.At == nil || slices.ContainsFunc(o.report.Findings, func(own result.Finding) bool {
			return strings.Contains(own.Message, f.Message) || o.parser.Kind == result.Test && (own.RawSpan == nil || own.RawSpan.End > from)
		})
	})
}

// samePlace reports whether both findings are at the same line of the same file, even if one path is longer.
func samePlace(a, b result.Finding) bool {
	return a.At != nil && b.At != nil && a.At.Line == b.At.Line && (strings.HasSuffix(a.At.Path, b.At.Path) || strings.HasSuffix(b.At.Path, a.At.Path))
}

// extent reaches from the beginning of the first span to the end of the last.
func extent(spans []result.Span) result.Span {
	if len(spans) == 0 {
		return result.Span{}
	}
	return result.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
}

func firstOfEqual(a, b *claim) bool {
	if na, nb := a.found(), b.found(); na != nb {
		return na > nb
	}
	if anyones := a.parser.Matches == nil; anyones != (b.parser.Matches == nil) { // formats such as TAP, which many tools print
		return !anyones
	}
	return a.parser.Tool < b.parser.Tool
}

func inside(spans, outer []result.Span) bool {
	return !slices.ContainsFunc(spans, func(s result.Span) bool { return !within(s, outer) })
}

// within reports whether one of the sorted, disjoint spans in outer contains s.
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
