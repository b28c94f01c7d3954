package engine

import (
	"math"
	"slices"

	"cairn/result"
)

// withoutRunners leaves out the failures that a runner tells where a tool that it
// started tells why. That is one between the runner's words before and behind:
// make says that a recipe failed below what the compiler printed, ninja above it.
// A test that failed is what was asked for, whatever it ran.
func (s *Session) withoutRunners(claims []*claim) (kept []*claim) {
	var told []result.Span
	for _, m := range claims {
		for _, f := range m.report.Findings {
			if !m.parser.Runner && saysNo(f) && f.RawSpan != nil {
				told = append(told, *f.RawSpan)
			}
		}
	}
	for _, m := range claims {
		if !m.parser.Runner || len(told) == 0 {
			kept = append(kept, m)
			continue
		}
		rest := unexplained(m.report.Findings, told)
		if len(rest) == 0 {
			s.muted = append(s.muted, m)
			continue
		}
		quiet, rep := *m, *m.report
		rep.Findings = rest
		quiet.report = &rep
		kept = append(kept, &quiet)
	}
	return kept
}

// unexplained are the findings of a runner that nothing in told explains.
func unexplained(findings []result.Finding, told []result.Span) (rest []result.Finding) {
	for i, f := range findings {
		from, to := int64(0), int64(math.MaxInt64)
		if i > 0 && findings[i-1].RawSpan != nil {
			from = findings[i-1].RawSpan.End
		}
		if i+1 < len(findings) && findings[i+1].RawSpan != nil {
			to = findings[i+1].RawSpan.Start
		}
		between := func(at result.Span) bool { return at.Start >= from && at.Start < to }
		if !saysNo(f) || f.Kind != result.BuildError || !slices.ContainsFunc(told, between) {
			rest = append(rest, f)
		}
	}
	return rest
}
