package engine

import (
	"slices"

	"cairn/parsers/tool"
	"cairn/result"
)

// section begins at a line that shows a command. tools are those that the command runs; the lines up to the next
// such line are most likely theirs.
type section struct {
	at    int64
	tools []*tool.Parser
}

// keepToSections removes, from what a tool read only because a command names it, rows in a common form that lie in
// the section of another tool which has read them too. Otherwise a tool without findings would get those of the
// tools that ran after it.
func (s *Session) keepToSections() {
	if len(s.sections) < 2 {
		return
	}
	var kept []*claim
	for _, m := range s.claims {
		if m.report != nil && !m.starts && slices.Contains(s.named, m.parser) {
			m = s.withoutOthers(m)
		}
		kept = append(kept, m)
	}
	s.claims = kept
}

// withoutOthers returns m without the findings that are another tool's.
func (s *Session) withoutOthers(m *claim) *claim {
	rep := *m.report
	rep.Findings = slices.DeleteFunc(slices.Clone(rep.Findings), func(f result.Finding) bool { return f.RawSpan != nil && s.isOthers(m, f.RawSpan.Start) })
	if len(rep.Findings) == len(m.report.Findings) {
		return m
	}
	rep.Covered = nil
	for _, f := range rep.Findings {
		if f.RawSpan != nil {
			rep.Covered = append(rep.Covered, *f.RawSpan)
		}
	}
	rep.Covered = disjoint(rep.Covered)
	return &claim{parser: m.parser, format: m.format, at: m.at, stream: m.stream, report: &rep}
}

// isOthers reports whether a byte lies in the section of another tool that has a finding there. Covered lines prove
// nothing: some readers cover everything that follows.
func (s *Session) isOthers(m *claim, at int64) bool {
	i, _ := slices.BinarySearchFunc(s.sections, at+1, func(c section, at int64) int { return int(c.at - at) })
	if i == 0 || slices.Contains(s.sections[i-1].tools, m.parser) {
		return false
	}
	return slices.ContainsFunc(s.claims, func(o *claim) bool {
		return o.report != nil && slices.Contains(s.sections[i-1].tools, o.parser) && (o.report.Dropped > 0 && isWithin(o.report.Covered, at) || slices.ContainsFunc(o.report.Findings, func(f result.Finding) bool {
			return f.RawSpan != nil && f.RawSpan.Start == at
		}))
	})
}

func isWithin(spans []result.Span, at int64) bool {
	return slices.ContainsFunc(spans, func(c result.Span) bool { return c.Start <= at && at < c.End })
}
