package casetest

import (
	"bytes"
	"fmt"
	"iter"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// Repeated is a source of n times the same bytes, which need not fit in
// memory.
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

func BenchmarkGo(b *testing.B, data []byte, parse func(*tool.Input) *tool.Report) {
	src := Repeated{Data: data, N: 1}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r := parse(&tool.Input{Source: src}); r == nil || len(r.Findings) == 0 {
			b.Fatal("nothing found")
		}
	}
}

// Paint colours every line.
func Paint(p []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(p) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		b.WriteString("\x1b[31m")
		b.Write(text)
		b.WriteString("\x1b[0m")
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func Chop(s term.Stream, at int64, p []byte) term.Bytes {
	var all term.Bytes
	for i := range p {
		all = append(all, term.Chunk{Stream: s, Offset: at + int64(i), Data: p[i : i+1]})
	}
	return all
}

// Interleave alternates between pieces of both streams that end anywhere.
func Interleave(stdout, stderr []byte) term.Bytes {
	var all term.Bytes
	var at int64
	for len(stdout)+len(stderr) > 0 {
		for i, p := range []*[]byte{&stdout, &stderr} {
			s := []term.Stream{term.Stdout, term.Stderr}[i]
			n := min(len(*p), 37)
			all = append(all, term.Chunk{Stream: s, Offset: at, Data: (*p)[:n]})
			*p = (*p)[n:]
			at += int64(n)
		}
	}
	return all
}

// Endless repeats a text, as a run that goes on and on.
type Endless struct {
	Head, Text, Tail []byte
	Times            int
}

func (e Endless) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		at := int64(0)
		for i := range e.Times + 2 {
			data := e.Text
			switch i {
			case 0:
				data = e.Head
			case e.Times + 1:
				data = e.Tail
			}
			if !yield(term.Chunk{Stream: term.Stdout, Offset: at, Data: data}) {
				return
			}
			at += int64(len(data))
		}
	}
}

// OneByOne yields each byte as a chunk of its own.
type OneByOne struct{ Of term.Bytes }

func (o OneByOne) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		for c := range o.Of.Chunks() {
			for i := range c.Data {
				if !yield(term.Chunk{Stream: c.Stream, Offset: c.Offset + int64(i), Data: c.Data[i : i+1]}) {
					return
				}
			}
		}
	}
}

// Coloured paints every line.
func Coloured(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		fmt.Fprintf(&b, "\x1b[31m\x1b[1m%s\x1b[0m", body)
		b.Write(line[len(body):])
	}
	return b.Bytes()
}

func BenchmarkTool(b *testing.B, data []byte, parse func(*tool.Input) *tool.Report) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r := parse(&tool.Input{Shell: "ruff check", Source: Repeated{Data: data, N: 1}}); r == nil || len(r.Findings) == 0 {
			b.Fatal("nothing found")
		}
	}
}
