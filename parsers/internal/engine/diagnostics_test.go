package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestDiagnosticsBound: what is counted of a flood does not depend on how it came, and
// the result says where the count ends.
func TestDiagnosticsBound(t *testing.T) {
	const line = "src/a.c:3:1: error: no such thing\n"
	defer func(n int64) { maxShaped = n }(maxShaped)
	maxShaped = 1 << 20
	text := []byte(strings.Repeat(line, 3<<20/len(line)))
	table := NewTable(nil)
	for _, size := range []int{1000, 64 << 10, len(text)} {
		var chunks term.Bytes
		for at := 0; at < len(text); at += size {
			chunks = append(chunks, term.Chunk{Stream: term.Stdout, Offset: int64(at), Data: text[at:min(len(text), at+size)]})
		}
		s := New(table, tool.Input{Argv: []string{"./x"}, Source: chunks})
		s.Scan()
		r := s.Result(result.Exit{Observed: true, Code: 1})
		if want := (1<<20 + len(line) - 1) / len(line); r.Counts["error"] != want {
			t.Errorf("in chunks of %d: %v, want %d", size, r.Counts, want)
		}
		if want := "findings were looked for, and counted, in the first 1 MiB of 2"; r.Extra["doubt"] != want {
			t.Errorf("in chunks of %d: doubt %q, want %q", size, r.Extra["doubt"], want)
		}
		if want := fmt.Sprintf("at least %d errors", r.Counts["error"]); r.Summary != want {
			t.Errorf("in chunks of %d: told as %q, want %q", size, r.Summary, want)
		}
	}
}

// TestBounded: the bound is a byte, not a chunk.
func TestBounded(t *testing.T) {
	src := term.Bytes{{Data: []byte("abc")}, {Offset: 3, Data: []byte("def")}, {Offset: 6, Data: []byte("g")}}
	for n, want := range map[int64][]string{0: nil, 2: {"ab"}, 3: {"abc"}, 5: {"abc", "de"}, 6: {"abc", "def"}, 9: {"abc", "def", "g"}} {
		var got []string
		for c := range (bounded{src, n}).Chunks() {
			got = append(got, string(c.Data))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
}
