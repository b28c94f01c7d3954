package streams

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What a builder writes, Spans reads back: every byte once, with its stream.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		var text []byte
		var want []int // stream of every byte
		at := time.Duration(0)
		for range rapid.IntRange(0, 40).Draw(t, "chunks") {
			stream := rapid.IntRange(Stdout, Stderr).Draw(t, "stream")
			at += time.Duration(rapid.IntRange(0, 30).Draw(t, "ms")) * time.Millisecond
			n := rapid.IntRange(1, 5).Draw(t, "bytes")
			if r, begins := b.Chunk(stream, at, int64(len(want))); begins {
				text = r.Append(text)
			}
			for range n {
				want = append(want, stream)
			}
		}
		var got []int
		err := Spans(bytes.NewReader(text), int64(len(want)), func(s Span) error {
			if s.Offset != int64(len(got)) {
				t.Fatalf("span begins at %d, want %d", s.Offset, len(got))
			}
			for i := s.Offset; i < s.End; i++ {
				got = append(got, s.Stream)
			}
			return nil
		})
		if err != nil || !equal(got, want) {
			t.Fatalf("got %v, %v, want %v from %q", got, err, want, text)
		}
	})
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestSpansRejects(t *testing.T) {
	for name, text := range map[string]string{
		"stream":      "3 0 0\n",
		"words":       "1 0\n",
		"letters":     "1 x 0\n",
		"negative":    "1 -1 0\n",
		"late start":  "1 2 0\n",
		"backwards":   "1 0 0\n2 4 1\n1 3 2\n",
		"beyond":      "1 0 0\n2 11 1\n",
		"no run":      "",
		"empty line":  "1 0 0\n\n",
		"huge number": "1 99999999999999999999 0\n",
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			if err := Spans(strings.NewReader(text), 10, func(Span) error { return nil }); err == nil {
				t.Errorf("Spans(%q) took it", text)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	if err := Spans(strings.NewReader(""), 0, func(Span) error { t.Error("a span of nothing"); return nil }); err != nil {
		t.Error(err)
	}
}
