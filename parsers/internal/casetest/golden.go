// Package casetest is shared by the tests of the rooms: recorded runs, the shapes in which they are replayed, and
// the comparison of results. It holds nothing that only one room needs, and the program never imports it.
package casetest

import (
	"iter"
	"os"
	"path/filepath"
	"testing"

	"cairn/parsers/internal/engine"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Golden is the folder of the recorded runs, relative to the package under test.
var Golden = func() string {
	for dir := "../golden"; len(dir) < 64; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return "golden"
}()

var known *engine.Table

// Use sets the parsers that the tests of a package parse with.
func Use(all []*tool.Parser) { known = engine.TableOf(all) }

// ParseKnown parses an input with the parsers that Use set.
func ParseKnown(in tool.Input, exit result.Exit) *result.ToolResult {
	s := engine.New(known, in)
	s.Scan()
	return s.Result(exit)
}

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
