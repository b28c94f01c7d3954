//go:build unix

package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/capture/child"
	"cairn/internal/streams"
	"cairn/parsers"
)

// chunk is what a child prints at once.
type chunk struct {
	stream child.Stream
	text   string
	at     time.Duration
}

func drawChunks(t *rapid.T) (list []chunk) {
	at := time.Duration(0)
	for range rapid.IntRange(0, 30).Draw(t, "chunks") {
		at += time.Duration(rapid.IntRange(0, 15).Draw(t, "ms")) * time.Millisecond
		list = append(list, chunk{child.Stream(rapid.IntRange(1, 2).Draw(t, "stream")), rapid.StringN(1, 20, 40).Draw(t, "text"), at})
	}
	return list
}

// split joins what each stream had.
func split(seq func(yield func(parsers.Chunk) bool)) (stdout, stderr, both string) {
	for c := range seq {
		if int64(len(both)) != c.Offset {
			return "", "", fmt.Sprintf("a chunk at %d after %d bytes", c.Offset, len(both))
		}
		both += string(c.Data)
		if c.Stream == parsers.Stderr {
			stderr += string(c.Data)
		} else {
			stdout += string(c.Data)
		}
	}
	return stdout, stderr, both
}

// What went through a keeper comes out of its source: every byte once,
// with its stream, for readers that start early or late or stop in between.
func TestKeeperToSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawChunks(t)
		k := newKeeper(new(memory), new(memory))
		var readers sync.WaitGroup
		type seen struct{ stdout, stderr, both string }
		results := make([]seen, 3)
		for i := range results {
			readers.Go(func() {
				results[i].stdout, results[i].stderr, results[i].both = split(k.source.Chunks())
			})
		}
		readers.Go(func() { // one that stops early
			for range k.source.Chunks() {
				return
			}
		})
		var want seen
		for _, c := range list {
			k.Chunk(c.stream, c.at, []byte(c.text))
			if want.both += c.text; c.stream == child.Stderr {
				want.stderr += c.text
			} else {
				want.stdout += c.text
			}
		}
		k.source.close()
		readers.Wait()
		for _, got := range results {
			if got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
		if err := k.source.failed(); err != nil {
			t.Fatal(err)
		}
	})
}

// A spool that cannot be read back is no shorter output.
func TestUnreadable(t *testing.T) {
	src := newSource(iotestReader{}, strings.NewReader("1 0 0\n"))
	src.grow(10, 6)
	src.close()
	for range src.Chunks() {
		t.Error("a chunk of nothing")
	}
	if err := src.failed(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

type iotestReader struct{}

func (iotestReader) ReadAt([]byte, int64) (int, error) { return 0, io.ErrUnexpectedEOF }

// The part of an order that speaks of bytes that came ends before the first run
// beyond them, or before a line that is no record.
func TestOrderWithin(t *testing.T) {
	var order bytes.Buffer
	for i := range 2000 {
		order.Write(streams.Run{Stream: 1 + i%2, Offset: int64(i), MS: int64(i)}.Append(nil))
	}
	beyond := int64(bytes.Index(order.Bytes(), []byte("1 100 ")))
	if known := orderWithin(bytes.NewReader(order.Bytes()), 100); known.length != beyond || known.lastMS != 1999 {
		t.Errorf("%+v", known)
	}
	whole := int64(order.Len())
	order.WriteString("{}\n1 5000 2000\n")
	if known := orderWithin(&order, 1<<20); known.length != whole || known.lastMS != 1999 {
		t.Errorf("behind a line that is no order: %+v", known)
	}
}

// A reader gets the first bytes while the command goes on, so that it is ready for the
// rest; and a long output is reported once.
func TestFirstBytes(t *testing.T) {
	k := newKeeper(new(memory), new(memory))
	large := 0
	k.large = func() { large++ }
	next, stop := iter.Pull(k.source.Chunks())
	defer stop()
	k.Chunk(child.Stdout, 0, []byte("x"))
	if c, ok := next(); !ok || string(c.Data) != "x" {
		t.Errorf("first came %q", c.Data)
	}
	if large > 0 {
		t.Error("one byte is a long output")
	}
	for range 3 {
		k.Chunk(child.Stdout, 0, make([]byte, largeSize))
	}
	if large != 1 {
		t.Errorf("told %d times of a long output", large)
	}
}
