package engine

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"cairn/parsers/internal/term"
	"cairn/parsers/read"
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
	in := s.in
	in.Source = bounded{s.in.Source, maxShaped}
	m := &claim{parser: s.program(nil), format: &tool.Format{Name: "lines", Parse: read.Diagnostics}, stream: term.Stdout, shape: true}
	m.run(in)
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
