package engine

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxShaped bounds how much of an output that no parser knows is read again for
// diagnostics, in bytes. The text beside them has the errors of all of it, and the
// result says that they were not counted.
var maxShaped = int64(64 << 20)

// diagnostics reads an output that no tool accounts for: whatever program
// prints places with messages, or traces, has findings.
func (s *Session) diagnostics() []*claim {
	if s.stats.binary {
		return nil
	}
	m := s.foreseen
	if s.foreseen = nil; m == nil {
		m = s.newDiagnostics()
		s.run(m, s.shaped())
	}
	if m.report != nil && s.command.Searches() { // a line that was found has a place, and is no diagnostic
		m.report.Findings = slices.DeleteFunc(m.report.Findings, func(f result.Finding) bool { return f.At != nil && f.At.Line > 0 })
	}
	if m.report == nil || len(m.report.Findings) == 0 {
		return nil
	}
	if s.stats.bytes > maxShaped {
		m.partly = true
		m.report.Doubt = fmt.Sprintf("findings were looked for, and counted, in the first %d MiB of %d", maxShaped>>20, s.stats.bytes>>20)
	}
	return []*claim{m}
}

func (s *Session) newDiagnostics() *claim {
	return &claim{parser: s.program(nil), format: &tool.Format{Name: "lines", Parse: read.Unknown}, stream: term.Stdout, shape: true}
}

// shaped is what is read for diagnostics.
func (s *Session) shaped() tool.Input {
	in := s.in
	in.Source = bounded{s.in.Source, maxShaped}
	return in
}

// foresee begins to read for diagnostics while the command still runs, once so many
// lines report errors that no parser claims that they will be asked for.
func (s *Session) foresee() {
	if s.foreseen != nil || s.tasks == nil || len(s.claims) > 0 || s.reducer.alarms <= int64(tool.MaxFindings) {
		return
	}
	m, in := s.newDiagnostics(), s.shaped()
	s.foreseen = m
	s.running.Go(func() { s.run(m, in) })
}

// withDiagnostics adds diagnostics to what runners say, where nothing else is reported
// an output: a recipe may run an unknown program. What the runners say
// themselves is no diagnostic. A runner that names what failed, such as a hook, is
// left alone: the name says more than a place which may be any.
func (s *Session) withDiagnostics(runners []*claim) []*claim {
	if slices.ContainsFunc(runners, (*claim).namesFailures) {
		return runners
	}
	found := s.diagnostics()
	if len(found) == 0 || len(runners) == 0 {
		return append(found, runners...)
	}
	rep := found[0].report
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f result.Finding) bool {
		return f.At == nil || f.At.Line == 0 || slices.ContainsFunc(runners, func(m *claim) bool { return m.speaksOf(f) })
	})
	if len(rep.Findings) == 0 {
		return runners
	}
	for _, m := range runners {
		if p := found[0].parser; m.parser.Tool == p.Tool {
			p.Kind, p.Family = m.parser.Kind, m.parser.Family
		}
	}
	return s.withoutRunners(append(found, runners...))
}

// speaksOf: the line is one of its own, or reports the file which names its steps, as
// make --trace does.
func (m *claim) speaksOf(f result.Finding) bool {
	return f.RawSpan != nil && overlaps(*f.RawSpan, m.report.Covered) ||
		slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool { return own.At != nil && own.At.Path == f.At.Path })
}

// namesFailures: it reports failures by their names alone. A recipe of make has a
// place of its own and says nothing but that it failed.
func (m *claim) namesFailures() bool {
	return slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool {
		return f.Kind != result.BuildError || f.ID != "" && f.At == nil
	})
}

// atLeast says of the counts in a summary that there may be more.
func atLeast(summary string) string {
	words := strings.Split(summary, ", ")
	for i, word := range words {
		if word != "" && word[0] >= '1' && word[0] <= '9' {
			words[i] = "at least " + word
			break
		}
	}
	return strings.Join(words, ", ")
}

// bounded is the beginning of a source.
type bounded struct {
	of  term.Source
	max int64
}

// Chunks stops at the bound, however the source comes in chunks.
func (b bounded) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		for c := range b.of.Chunks() {
			left := b.max - c.Offset
			if left <= 0 {
				return
			}
			c.Data = c.Data[:min(int64(len(c.Data)), left)]
			if !yield(c) || int64(len(c.Data)) == left {
				return
			}
		}
	}
}
