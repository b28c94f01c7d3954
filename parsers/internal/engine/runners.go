package engine

import (
	"math"
	"slices"
	"strings"

	"cairn/result"
)

// withoutRunners leaves out the failures that a runner tells where a tool that it
// started tells why. The reason is looked for between the runner's finding before and
// the one behind, on both sides of the failure: make says below what the compiler
// printed that a recipe failed, ninja says it above. A failed test of a runner of
// tests stays, since tests are what was asked for.
//
// Where tasks have names, "core:test", a failure of a runner is explained by what was
// told in the task that has its id, wherever that stands.
func (s *Session) withoutRunners(claims []*claim) (kept []*claim) {
	var told []reason
	for _, m := range claims {
		for _, f := range m.report.Findings {
			if (!m.parser.Runner || m.name != "") && saysNo(f) && f.RawSpan != nil {
				told = append(told, reason{at: *f.RawSpan, task: m.name})
			}
		}
	}
	for _, m := range claims {
		if nothing := len(m.report.Findings) == 0; nothing && m.parser.Runner && m.parser.Kind != result.Test && withOthers(claims) {
			s.muted = append(s.muted, m)
			continue
		}
		if !m.parser.Runner || len(told) == 0 || m.name != "" || m.report.Meaning == result.MeansUsage { // a runner that did nothing ran nothing that explains it
			kept = append(kept, m)
			continue
		}
		rest := slices.DeleteFunc(unexplained(m.report.Findings, told), func(f result.Finding) bool {
			return f.Kind == result.BuildError && slices.ContainsFunc(claims, func(o *claim) bool { return o != m && o.parser.Kind == result.Test && o.isAt(f) })
		})
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

// withoutPassedOn leaves out what a tool only passes on: the exception of an interpreter that
// is another tool's way to say that something failed, and what a compiler said below a package
// manager. The tool that knows more of it tells it.
func (s *Session) withoutPassedOn(claims []*claim) (kept []*claim) {
	for _, m := range claims {
		rest := slices.DeleteFunc(slices.Clone(m.report.Findings), func(f result.Finding) bool {
			return f.RawSpan != nil && slices.ContainsFunc(claims, func(o *claim) bool {
				return o.knows() > m.knows() && o.retells(f, m.knows() == 1 && o.parser.Kind == result.Pipeline)
			})
		})
		switch {
		case len(rest) == len(m.report.Findings) || len(m.report.Tally()) > 0:
			kept = append(kept, m)
		case len(rest) == 0:
			s.muted = append(s.muted, m)
		default:
			own, rep := *m, *m.report
			rep.Findings, own.report = rest, &rep
			kept = append(kept, &own)
		}
	}
	return kept
}

// knows: how much a tool knows of what is printed while it runs.
func (m *claim) knows() int {
	switch {
	case m.parser.Kind == result.Package:
		return 0
	case m.shape || m.parser.Kind == result.Generic:
		return 1
	}
	return 2
}

// retells: m has a finding in the lines of f, with the same words or with better ones.
func (m *claim) retells(f result.Finding, better bool) bool {
	isCause := func(r result.Related) bool { return strings.HasSuffix(r.Message, ": "+f.Message) }
	return slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool {
		if own.RawSpan == nil || own.RawSpan.Start >= f.RawSpan.End || f.RawSpan.Start >= own.RawSpan.End {
			return false
		}
		placed := own.At != nil || f.At == nil
		return own.Message == f.Message || better && placed || slices.ContainsFunc(own.Related, isCause)
	})
}

// toldTwice are the findings of a failure that two of the parts tell: a runner of tests names its test, and what it ran
// names the failure in it. The one with a place stays and names both.
func toldTwice(parts []*claim) map[*result.Finding]bool {
	twice := map[*result.Finding]bool{}
	for _, placed := range [...]bool{true, false} { // one without a place gives way to one that stays
		for _, m := range parts {
			for _, o := range parts {
				if m != o && m.parser.Runner && m.parser.Kind == result.Test && o.parser.Kind == result.Test {
					m.tellOnce(o, placed, twice)
				}
			}
		}
	}
	return twice
}

// tellOnce marks the failures, with a place or without one, that m and o, which it ran, both tell.
func (m *claim) tellOnce(o *claim, placed bool, twice map[*result.Finding]bool) {
	for i := range o.report.Findings {
		inner := &o.report.Findings[i]
		if (inner.At != nil) != placed {
			continue
		}
		switch outer := m.around(inner); {
		case outer == nil:
		case !placed:
			twice[inner] = twice[inner] || !twice[outer]
		default:
			if twice[outer] = true; outer.ID != inner.ID && inner.At.Label == "" {
				at := *inner.At
				at.Label, inner.At = result.WithinTest+outer.ID, &at
			}
		}
	}
}

// around is the finding of m, a runner of tests, for the test in which f failed: of the same place or name, or its text names f.
func (m *claim) around(f *result.Finding) *result.Finding {
	for _, near := range []bool{true, false} {
		for i := range m.report.Findings {
			own := &m.report.Findings[i]
			if f.ID != "" && (samePlace(*own, *f) || own.ID == f.ID || !near && f.At != nil && namesWhole(own.Detail, f.ID)) {
				return own
			}
		}
	}
	return nil
}

// namesWhole: the name stands in a text as a word of its own, not within another.
func namesWhole(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		if (start == 0 || !isWordByte(text[start-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = end
	}
}

// isAt: m has a finding of the same place.
func (m *claim) isAt(f result.Finding) bool {
	return slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool { return samePlace(own, f) })
}

// withOthers: tools that are no runners are among them.
func withOthers(claims []*claim) bool {
	return slices.ContainsFunc(claims, func(m *claim) bool { return !m.parser.Runner })
}

// reason is a failure that a tool tells, and the task that it was told in.
type reason struct {
	at   result.Span
	task string
}

// of says that it was told in the task with this id: "core#test" is "core:test",
// and a task "core" is any of that package.
func (r reason) of(id string) bool {
	id = strings.Replace(id, "#", ":", 1)
	return r.task != "" && (id == r.task || strings.HasPrefix(id, r.task+":"))
}

// unexplained are the findings of a runner that nothing in told explains.
func unexplained(findings []result.Finding, told []reason) (rest []result.Finding) {
	named := slices.ContainsFunc(told, func(r reason) bool { return r.task != "" })
	beside := explainedBeside(findings, told)
	for i, f := range findings {
		explained := beside[i]
		if named && f.ID != "" {
			explained = slices.ContainsFunc(told, func(r reason) bool { return r.of(f.ID) })
		}
		if !explained || !mayBeExplained(f) {
			rest = append(rest, f)
		}
	}
	return rest
}

// mayBeExplained: it says that a step failed. What has a place and names no step is the
// runner's own: a mistake in its file.
func mayBeExplained(f result.Finding) bool {
	return saysNo(f) && f.Kind == result.BuildError && (f.ID != "" || f.At == nil)
}

// explainedBeside says which findings have a reason beside them. What was told between
// two explains both where they are names of tasks, which runners list above and below
// what the tasks printed. Of recipes, which have a place of their own, it explains one:
// the one behind, as make has it, or the one before, whichever way explains more.
func explainedBeside(findings []result.Finding, told []reason) []bool {
	gaps := make([]bool, len(findings)+1) // gaps[i] is before findings[i]
	for i := range gaps {
		gaps[i] = reasonBetween(findings, i, told)
	}
	side := 0
	if count(gaps[1:]) > count(gaps[:len(findings)]) {
		side = 1
	}
	explained := make([]bool, len(findings))
	for i, f := range findings {
		explained[i] = f.RawSpan != nil && slices.ContainsFunc(told, func(r reason) bool { return r.at.Start >= f.RawSpan.Start && r.at.Start < f.RawSpan.End })
	}
	for _, k := range []int{side, 1 - side} {
		for i, f := range findings {
			if gaps[i+k] && !explained[i] && mayBeExplained(f) {
				explained[i], gaps[i+k] = true, f.At == nil
			}
		}
	}
	return explained
}

func count(all []bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// reasonBetween: something was told behind the finding before i and before i.
func reasonBetween(findings []result.Finding, i int, told []reason) bool {
	from, to := int64(0), int64(math.MaxInt64)
	if i > 0 && findings[i-1].RawSpan != nil {
		from = findings[i-1].RawSpan.End
	}
	if i < len(findings) && findings[i].RawSpan != nil {
		to = findings[i].RawSpan.Start
	}
	return slices.ContainsFunc(told, func(r reason) bool { return r.at.Start >= from && r.at.Start < to })
}
