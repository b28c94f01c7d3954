package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/tool"
	"cairn/result"
)

// decideClaims decides whose output it is: see the package comment. Its
// answer is in the order in which the tools began to print.
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

// toldBy says that o tells what m does not: the reader of m, whose tool was run, made
// nothing of the output, and o has found in it a document of a form that any tool may
// write, such as a report, which reports failures.
func (m *claim) toldBy(o *claim) bool {
	whole := o != m && o.report.Complete && o.report.Doubt == "" && len(o.report.Findings) > 0
	return whole && (m.tellsNothing() || o.isAnyones() && m.findsNone())
}

// ran says that m is of a language, whose program has printed o before an error ended it: tests that failed.
func (m *claim) ran(o *claim) bool {
	return m.parser.Kind == result.Generic && o != m && o.report.Tested && o.report.Failures() > 0 && (apart(m, o) || inside(m.report.Covered, o.report.Covered) && !slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool {
		return !slices.ContainsFunc(o.report.Findings, func(own result.Finding) bool { return samePlace(f, own) && f.Message == own.Message })
	}))
}

// findsNone: the reader found no finding, or how many there are and none of them.
func (m *claim) findsNone() bool {
	r := m.report
	return r != nil && m.found() == 0 && r.Meaning == "" && (!r.Tested || max(r.Claimed, r.Problems) > 0)
}

// tellsNothing: the reader found none of what it looks for.
func (m *claim) tellsNothing() bool {
	r := m.report
	return r == nil || len(r.Findings) == 0 && (!r.Complete || r.Doubt != "") && r.Claimed <= 0 && r.Meaning == ""
}

// withoutRetold leaves out what was read as a format that any tool may write, where a
// tool that speaks for itself has read the same lines. Of a plain list of findings,
// those that no such tool has read stay: they are another tool's. Where a tool doubts
// its own report, the lines that it has not read may be its own, so a list of findings
// made of them is left out too.
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

// withoutTwins leaves out of a plain list of findings what another one has read alike in the
// same lines: of programs of one command line, such as kustomize and kubectl, more than one
// may begin an error with the same word.
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

// isPlain: it is of a program that the line names, and no more than a list of findings.
func (s *Session) isPlain(m *claim) bool {
	rep := m.report
	return slices.Contains(s.named, m.parser) && !rep.Tested && rep.Claimed <= 0 && rep.Dropped == 0 && len(rep.Counts) == 0
}

// reads: it has the finding, of the same lines.
func (m *claim) reads(f result.Finding) bool {
	return slices.ContainsFunc(m.report.Findings, func(g result.Finding) bool {
		return g.RawSpan != nil && f.RawSpan != nil && *g.RawSpan == *f.RawSpan && g.Message == f.Message && g.Severity == f.Severity
	})
}

// without is a list of findings without those that lie in some spans; nil where
// none is left, or the report is more than a list: its counts would be those of
// all.
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
	rep.Counts = tool.BySeverity(rep.Findings) // so that the sum of all parts has them
	return &rest
}

// isAnyones: of a format that any tool may write, such as SARIF.
func (m *claim) isAnyones() bool { return m.format.Evidence == tool.Shape && m.parser.Matches == nil }

// speaksForItself: more than its shape says whose output it is.
func (s *Session) speaksForItself(m *claim) bool {
	return m.format.Evidence == tool.Signature || m.report.Signed || slices.Contains(s.named, m.parser)
}

// rivals are the matches that may hide m because m lies within one of them: all, but
// for those of a parser that a project brought, which adds to what the others tell and
// hides nothing.
func (s *Session) rivals(m *claim, all []*claim) []*claim {
	if s.in.As == nil || m.parser == s.in.As {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *claim) bool { return o.parser == s.in.As && s.table.Tool(o.parser.Tool) != o.parser })
}

// shapesOf takes the name of a tool off what only its shape speaks for: of all
// such matches one stays, the one that found most, under the program that was
// run.
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
		// A format that any tool may write is the tool's that was run by itself.
		best.shape = !anyones || s.direct() == nil
		best.exact = anyones && rep.Complete && rep.Doubt == "" && rep.Dropped == 0
		best.parser = s.program(best.parser)
		kept = append(kept, best)
	}
	return kept
}

// explains: summary says how many failed and names none, and messages reports
// as many.
func explains(messages, summary *tool.Report) bool {
	return summary.Claimed > 0 && len(summary.Findings) == 0 && messages.Failures() == summary.Claimed
}

// explained is a tool's summary with the findings that its messages tell.
func explained(m *claim, messages *tool.Report) *claim {
	both, rep := *m, *m.report
	rep.Findings = messages.Findings
	rep.Dropped += messages.Dropped
	rep.Covered = disjoint(slices.Concat(rep.Covered, messages.Covered))
	both.report = &rep
	return &both
}

// program stands for the program that was run, where no parser knows it.
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

// oneReportEach keeps one match per tool. Of two formats that read the same
// lines it is the one that found most, and among equals the one that the parser
// lists first (machine formats come first). Two that read different lines of
// one output are joined where the tool may have run twice.
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

// apart: both tell something, and no line is read by both.
func apart(a, b *claim) bool {
	if len(a.report.Findings) == 0 || len(b.report.Findings) == 0 || size(a.report.Covered) == 0 || size(b.report.Covered) == 0 {
		return false
	}
	return !slices.ContainsFunc(a.report.Covered, func(s result.Span) bool { return overlaps(s, b.report.Covered) })
}

// overlaps finds s, or a part of it, in sorted, disjoint spans.
func overlaps(s result.Span, outer []result.Span) bool {
	i, _ := slices.BinarySearchFunc(outer, s.Start, func(o result.Span, at int64) int { return cmp.Compare(o.End, at+1) })
	return i < len(outer) && outer[i].Start < s.End
}

// joined is what two formats of one tool read in one output.
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

// accounts: the tool's own closing line was there, and all that it counts was found.
func (m *claim) accounts() bool {
	r := m.report
	return r.Complete && r.Tested && r.Claimed > 0 && r.Failures() == r.Claimed && r.Doubt == ""
}

// outweighs: m is the whole report of a test run, and o only lists what it found.
func (m *claim) outweighs(o *claim) bool {
	return m.accounts() && !o.report.Tested && o.report.Claimed <= 0
}

// better: what accounts for all that the tool counts is, however many exceptions
// another format sees in the same lines; else what found most.
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

// found is how many findings it has, with those that are only counted.
func (m *claim) found() int { return len(m.report.Findings) + m.report.Dropped }

func formatIndex(m *claim) int {
	return slices.IndexFunc(m.parser.Formats, func(f tool.Format) bool { return f.Name == m.format.Name })
}

// isNested: everything that m covers lies within one other match, which covers
// more, or as much and found more, or came first. A match that covers nothing
// is nowhere; it is dropped where others cover something, unless it has
// anything to tell.
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

// isBeside: o took all lines up to an end of the output, and m reads those as what its tool
// prints, to its closing line: another command printed them, before or after o's. Between
// them and the end there are only such claims. Both tell failures, so none of them makes
// a success a failure; and no finding of o is in the lines. What the command line runs, or a
// runner shows that it runs, needs no line of its own.
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

// betweenCommands is how many bytes a script may print between what two commands print.
const betweenCommands = 400

// mayBeBeside: see isBeside. Of an o that did not keep all findings, nothing says where the others lie.
func (s *Session) mayBeBeside(m, o *claim) bool {
	rep, lines := m.report, m.report.Covered
	if o.report.Dropped > 0 || m.format.Evidence != tool.Signature || !rep.Complete || len(lines) == 0 || o.report.Failures() == 0 && o.report.Claimed <= 0 {
		return false
	}
	if !slices.Contains(s.named, m.parser) {
		if lines = []result.Span{extent(lines)}; !m.starts || !speaksForItself(m.parser.Kind) || rep.Failures() == 0 {
			return false
		}
	}
	return m.found() > 0 && inside(rep.Covered, o.report.Covered) && !slices.ContainsFunc(o.report.Findings, func(f result.Finding) bool {
		return f.RawSpan != nil && isWithin(lines, f.RawSpan.Start) || slices.ContainsFunc(rep.Findings, func(own result.Finding) bool { return samePlace(f, own) })
	})
}

// samePlace: one of them retells the other, perhaps by another path to the file.
func samePlace(a, b result.Finding) bool {
	return a.At != nil && b.At != nil && a.At.Line == b.At.Line && (strings.HasSuffix(a.At.Path, b.At.Path) || strings.HasSuffix(b.At.Path, a.At.Path))
}

// extent reaches from the first of some spans to the last.
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
	if anyones := a.parser.Matches == nil; anyones != (b.parser.Matches == nil) { // such as TAP, which many tools print
		return !anyones
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
