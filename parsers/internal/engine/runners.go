package engine

import (
	"math"
	"path"
	"slices"
	"strings"

	"cairn/result"
)

// withoutRunners removes the failures that a runner reports if a tool that it started reports the reason. The
// reason is searched between the runner's previous finding and its next one, on both sides of the failure: make
// says below the compiler's output that a recipe failed, ninja says so above. A failed test of a test runner stays,
// since tests are what was asked for.
//
// If tasks have names, such as "core:test", a runner's failure is explained by any finding in the task with its id,
// wherever that stands.
func (s *Session) withoutRunners(claims []*claim) (kept []*claim) {
	var told []reason
	for _, m := range claims {
		for _, f := range m.report.Findings {
			if (!m.parser.Runner || m.name != "") && saysNo(f) && f.RawSpan != nil {
				told = append(told, reason{at: *f.RawSpan, task: m.name, stem: stemOf(f)})
			}
		}
	}
	for _, m := range claims {
		if nothing := len(m.report.Findings) == 0; nothing && m.parser.Runner && m.parser.Kind != result.Test && withOthers(claims) {
			s.muted = append(s.muted, m)
			continue
		}
		if !m.parser.Runner || len(told) == 0 || m.name != "" || m.report.Meaning == result.MeansUsage { // a runner that refused its command line ran nothing
			kept = append(kept, m)
			continue
		}
		rest := slices.DeleteFunc(unexplained(m.report.Findings, told, m.parser.Heads), func(f result.Finding) bool {
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

// withoutPassedOn removes findings that another tool reports with more knowledge: an interpreter's exception by
// which another tool says that something failed, and compiler messages that a package manager passes on.
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

// knows grades how much a tool knows of the text that is printed while it runs.
func (m *claim) knows() int {
	switch {
	case m.parser.Kind == result.Package:
		return 0
	case m.shape || m.parser.Kind == result.Generic:
		return 1
	}
	return 2
}

// retells reports whether m has a finding in the lines of f with the same message or, if better is set, one with a
// place.
func (m *claim) retells(f result.Finding, better bool) bool {
	isCause := func(r result.Related) bool { return strings.HasSuffix(r.Message, ": "+f.Message) }
	return slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool {
		if own.RawSpan == nil || own.RawSpan.Start >= f.RawSpan.End || f.RawSpan.Start >= own.RawSpan.End {
			return false
		}
		placed := own.At != nil || f.At == nil
		same := own.Message == f.Message || f.Rule != "" && own.Rule == f.Rule && strings.HasSuffix(own.Message, f.Rule+": "+f.Message)
		return same || better && placed || slices.ContainsFunc(own.Related, isCause)
	})
}

// toldTwice returns the findings that repeat a failure which another part reports: a test runner names its test,
// and the program that it ran names the failure inside. The finding with a place stays and names both.
func toldTwice(parts []*claim) map[*result.Finding]bool {
	twice := map[*result.Finding]bool{}
	for _, placed := range [...]bool{true, false} { // first those with a place: the others give way to findings that stay
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

// tellOnce marks the failures that both m and o report, where m ran o. placed selects o's failures with a place, or
// those without.
func (m *claim) tellOnce(o *claim, placed bool, twice map[*result.Finding]bool) {
	if o.again == nil {
		o.again = map[string]bool{}
	}
	for i := range o.report.Findings {
		inner := &o.report.Findings[i]
		if (inner.At != nil) != placed {
			continue
		}
		outer := m.around(inner)
		if outer != nil && (outer.ID == inner.ID || inner.Params != "" && path.Dir(outer.ID) == path.Dir(inner.ID)) { // they may differ in the parameter
			o.again[inner.ID] = true
		}
		switch {
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

// around returns the finding of m, a test runner, for the test in which f failed: it has the same place or id, or
// its text names f.
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

// namesWhole reports whether name occurs in text as a word of its own.
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

// isAt reports whether m has a finding at the same place.
func (m *claim) isAt(f result.Finding) bool {
	return slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool { return samePlace(own, f) })
}

// withOthers reports whether there are tools that are not runners.
func withOthers(claims []*claim) bool {
	return slices.ContainsFunc(claims, func(m *claim) bool { return !m.parser.Runner })
}

// reason is the place of a failure that a tool reports, the task in which it was reported, and the name of the
// source without what follows its first dot.
type reason struct {
	at         result.Span
	task, stem string
}

// stemOf returns "port" for a finding in src/port.c.
func stemOf(f result.Finding) (stem string) {
	if f.At != nil {
		stem, _, _ = strings.Cut(path.Base(f.At.Path), ".")
	}
	return stem
}

// of reports whether the reason comes from the task with this id: "core#test" is "core:test", and the task "core"
// contains every task of that package.
func (r reason) of(id string) bool {
	id = strings.Replace(id, "#", ":", 1)
	return r.task != "" && (id == r.task || strings.HasPrefix(id, r.task+":"))
}

// unexplained returns the findings of a runner that no reason in told explains; heads is of its parser.
func unexplained(findings []result.Finding, told []reason, heads bool) (rest []result.Finding) {
	tasks := slices.ContainsFunc(told, func(r reason) bool { return r.task != "" })
	beside := explainedBeside(findings, told)
	for i, f := range findings {
		object, _, named := strings.Cut(path.Base(f.ID), ".") // compilers that run at once print their errors in any order
		explained := beside[i] || named && object != "" && slices.ContainsFunc(told, func(r reason) bool { return r.stem == object })
		if heads {
			explained = reasonBetween(findings, i+1, told)
		}
		if tasks && f.ID != "" {
			explained = slices.ContainsFunc(told, func(r reason) bool { return r.of(f.ID) })
		}
		if !explained || !mayBeExplained(f) {
			rest = append(rest, f)
		}
	}
	return rest
}

// mayBeExplained reports whether a finding only says that a step failed. One with a place and without a step is the
// runner's own: a mistake in its file.
func mayBeExplained(f result.Finding) bool {
	return saysNo(f) && f.Kind == result.BuildError && (f.ID != "" || f.At == nil)
}

// explainedBeside says which findings have a reason beside them. A reason between two findings explains both if
// they are names of tasks, which runners list above and below the tasks' output. Failed recipes, which have a
// place, share no reason: it explains the recipe behind it, as with make, or the one before it, whichever direction
// explains more.
func explainedBeside(findings []result.Finding, told []reason) []bool {
	gaps := make([]bool, len(findings)+1) // gaps[i]: a reason stands before findings[i]
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

// reasonBetween reports whether a reason stands between the findings i-1 and i.
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
