package engine

import (
	"slices"

	"cairn/parsers/tool"
	"cairn/result"
)

// section begins with a line in which a runner says which tool it ran. All that stands below it, up to
// the next such line, is that tool's: the runner prints what each of them wrote as a whole.
type section struct {
	at    int64
	tools []*tool.Parser // whose it is; none where the runner's name for it is not known
}

// keepToSections takes from what a tool read without a line of its own, since a section names it, all that
// lies in the sections of other tools: a tool that found nothing would read the findings of those that did.
func (s *Session) keepToSections() {
	for _, m := range s.claims {
		owns := slices.ContainsFunc(s.sections, func(c section) bool { return slices.Contains(c.tools, m.parser) })
		if m.report == nil || m.starts || !owns {
			continue
		}
		others := func(at int64) bool {
			i, _ := slices.BinarySearchFunc(s.sections, at+1, func(c section, at int64) int { return int(c.at - at) })
			return i > 0 && len(s.sections[i-1].tools) > 0 && !slices.Contains(s.sections[i-1].tools, m.parser)
		}
		head := func(end int64) bool { return slices.ContainsFunc(s.sections, func(c section) bool { return c.at == end }) }
		m.report.Findings = slices.DeleteFunc(slices.Clone(m.report.Findings), func(f result.Finding) bool {
			return f.RawSpan != nil && (others(f.RawSpan.Start) || head(f.RawSpan.End))
		})
		m.report.Covered = slices.DeleteFunc(m.report.Covered, func(c result.Span) bool { return others(c.Start) })
	}
}
