package casetest

import (
	"iter"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// Repeated is a source that yields Data N times; the whole need not fit in memory.
type Repeated struct {
	Data []byte
	N    int
}

func (r Repeated) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		var at int64
		for range r.N {
			for p := r.Data; len(p) > 0; {
				piece := p[:min(len(p), 32<<10)]
				if !yield(term.Chunk{Stream: term.Stdout, Offset: at, Data: piece}) {
					return
				}
				at += int64(len(piece))
				p = p[len(piece):]
			}
		}
	}
}

// Benchmark measures how fast parse reads the output of a command.
func Benchmark(b *testing.B, command string, data []byte, parse func(*tool.Input) *tool.Report) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r := parse(&tool.Input{Shell: command, Source: Repeated{Data: data, N: 1}}); r == nil || len(r.Findings) == 0 {
			b.Fatal("nothing found")
		}
	}
}
