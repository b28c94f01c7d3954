package term

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func allLines(src Source) []string {
	var out []string
	RawLines(src, Both, func(l RawLine) bool {
		out = append(out, fmt.Sprintf("%s %d-%d cut=%v ended=%v %q", l.Stream, l.Start, l.End, l.Cut, l.Ended, l.Text))
		return true
	})
	return out
}

func TestLinesOfTwoStreams(t *testing.T) {
	src := Bytes{
		{Stream: Stdout, Offset: 0, Data: []byte("one\ntw")},
		{Stream: Stderr, Offset: 6, Data: []byte("err\nlast err")},
		{Stream: Stdout, Offset: 18, Data: []byte("o\nlast")},
	}
	want := []string{
		`stdout 0-4 cut=false ended=true "one"`,
		`stderr 6-10 cut=false ended=true "err"`,
		`stdout 4-20 cut=false ended=true "two"`,
		`stderr 10-18 cut=false ended=false "last err"`,
		`stdout 20-24 cut=false ended=false "last"`,
	}
	if got := allLines(src); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLinesCoverTheOutput: whatever the chunks, the same lines, and of one
// stream they cover the bytes without gap or overlap.
func TestLinesCoverTheOutput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringOf(rapid.SampledFrom([]rune("ab\n\r\x00é\x1b"))).Draw(t, "text"))
		whole := allLines(Separate(text, nil))
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 5).Draw(t, "sizes")
		var chunks Bytes
		for at, i := 0, 0; at < len(text); i++ {
			n := min(sizes[i%len(sizes)], len(text)-at)
			chunks = append(chunks, Chunk{Stream: Stdout, Offset: int64(at), Data: text[at : at+n]})
			at += n
		}
		if got := allLines(chunks); !slices.Equal(got, whole) {
			t.Fatalf("in chunks %q\nwhole %q", got, whole)
		}
		var at int64
		RawLines(chunks, Both, func(l RawLine) bool {
			if l.Start != at || l.End <= at {
				t.Fatalf("line %d-%d after %d", l.Start, l.End, at)
			}
			at = l.End
			return true
		})
		if at != int64(len(text)) {
			t.Fatalf("lines end at %d of %d", at, len(text))
		}
	})
}

// Repeat is a source of n equal chunks that are made only once.
type Repeat struct {
	data []byte
	n    int
}

func (r Repeat) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for i := range r.n {
			if !yield(Chunk{Stream: Stdout, Offset: int64(i) * int64(len(r.data)), Data: r.data}) {
				return
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	const n = 100
	src := Repeat{bytes.Repeat([]byte("x"), 1<<20), n}
	var got []Line
	for l := range Lines(src, Both) {
		got = append(got, l)
	}
	if len(got) != 1 || len(got[0].Text) != MaxLine || !got[0].Cut || got[0].Ended || got[0].End != n<<20 {
		t.Fatalf("%d lines, text of %d bytes, cut %v, ended %v, end %d", len(got), len(got[0].Text), got[0].Cut, got[0].Ended, got[0].End)
	}
}

// TestLongLineBound: U+FFFD takes more room than the byte it stands for.
func TestLongLineBound(t *testing.T) {
	text := bytes.Repeat([]byte("a\xff"), MaxLine/2)
	for l := range Lines(Separate(text, nil), Both) {
		if len(l.Text) > MaxLine || !l.Cut {
			t.Errorf("text of %d bytes, cut %v", len(l.Text), l.Cut)
		}
	}
}

func TestLinesStop(t *testing.T) {
	n := 0
	for range Lines(Separate([]byte("a\nb\nc"), []byte("d")), Both) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
}
