package streams

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
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
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %v, %v, want %v from %q", got, err, want, text)
		}
	})
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
		"plus":        "+1 0 0\n",
		"zeros":       "1 00 0\n",
		"spaces":      "1  0 0\n",
		"four":        "1 0 0 0\n",
		"endless":     "1 0 " + strings.Repeat("1", 1<<17) + "\n",
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

// Whatever is read, spans cover the output once and in order, or there is an
// error.
func FuzzSpans(f *testing.F) {
	f.Add([]byte("1 0 0\n2 4 10\n1 9 30\n"), int64(12))
	f.Add([]byte("2 0 0"), int64(0))
	f.Add([]byte("1 0 0\n1 0 0\r\n"), int64(5))
	f.Add([]byte(""), int64(-1))
	f.Fuzz(func(t *testing.T, order []byte, size int64) {
		at := int64(0)
		err := Spans(bytes.NewReader(order), size, func(s Span) error {
			if s.Offset != at || s.End < s.Offset || s.End > size || s.MS < 0 || s.Stream != Stdout && s.Stream != Stderr {
				t.Errorf("span %+v after byte %d of %d", s, at, size)
			}
			at = s.End
			return nil
		})
		if err == nil && at != max(size, 0) {
			t.Errorf("%d of %d bytes", at, size)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1 0 0", "2 9223372036854775807 1", "1 -1 0", "+1 0 0", "1 0 0 ", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := Parse(line)
		if err != nil {
			if r != (Run{}) {
				t.Errorf("an error and %+v", r)
			}
			return
		}
		if got := r.Append(nil); string(got) != string(line)+"\n" {
			t.Errorf("%q is read as %+v, which is %q", line, r, got)
		}
	})
}

func TestInline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var order []byte
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			order = Run{rapid.IntRange(1, 2).Draw(t, "stream"), rapid.Int64Min(0).Draw(t, "offset"), rapid.Int64Min(0).Draw(t, "ms")}.Append(order)
		}
		line := Inline(order)
		if strings.Contains(line, "\n") || !bytes.Equal(FromInline(line), order) {
			t.Fatalf("%q is %q on one line, and %q again", order, line, FromInline(line))
		}
	})
}

// Reads of one stream within Merge of the beginning of a run belong to it: so
// a run is bounded in time however fast the reads come.
func TestMerge(t *testing.T) {
	var b Builder
	var runs []Run
	for i := range 100 {
		if r, begins := b.Chunk(Stdout, time.Duration(i)*time.Millisecond, int64(i)); begins {
			runs = append(runs, r)
		}
	}
	if len(runs) != 10 || runs[9] != (Run{Stdout, 90, 90}) {
		t.Errorf("%d runs: %v", len(runs), runs)
	}
	if r, begins := b.Chunk(Stderr, 99*time.Millisecond, 100); !begins || r != (Run{Stderr, 100, 99}) {
		t.Errorf("a change of stream: %v, %v", r, begins)
	}
}

func TestSpansStops(t *testing.T) {
	stop := errors.New("stop")
	for _, order := range []string{"1 0 0\n", "1 0 0\n2 1 0\n"} {
		n := 0
		err := Spans(strings.NewReader(order), 2, func(Span) error { n++; return stop })
		if !errors.Is(err, stop) || n != 1 {
			t.Errorf("%q: %v after %d spans", order, err, n)
		}
	}
	broken := errors.New("broken")
	if err := Spans(iotest.ErrReader(broken), 2, func(Span) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("a read that failed: %v", err)
	}
}
