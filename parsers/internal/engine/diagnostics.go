package engine

import (
	"iter"

	"cairn/parsers/internal/term"
	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// maxShaped bounds how much of an output that no parser knows is read again for
// diagnostics, in bytes. The text beside them has the errors of all of it.
const maxShaped = 64 << 20

// diagnostics reads an output that no tool accounts for: whatever program
// prints places with messages, or traces, has findings.
func (s *Session) diagnostics() []*claim {
	if s.stats.binary {
		return nil
	}
	in := s.in
	in.Source = bounded{s.in.Source, maxShaped}
	m := &claim{parser: s.program(nil), format: &tool.Format{Name: "lines", Parse: read.Diagnostics}, stream: term.Stdout, shape: true}
	m.run(in)
	if m.report == nil || len(m.report.Findings) == 0 {
		return nil
	}
	return []*claim{m}
}

// bounded is the beginning of a source.
type bounded struct {
	of  term.Source
	max int64
}

// Chunks stops at the first chunk behind the bound.
func (b bounded) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		for c := range b.of.Chunks() {
			if c.Offset >= b.max || !yield(c) {
				return
			}
		}
	}
}
