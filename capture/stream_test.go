//go:build unix

package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
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

// What went through a keeper comes out of the tail: every byte once,
// with its stream, for readers that start early or late or stop in between.
func TestKeeperToTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawChunks(t)
		k := newKeeper(new(memory), new(memory))
		var readers sync.WaitGroup
		type seen struct{ stdout, stderr, both string }
		results := make([]seen, 3)
		for i := range results {
			readers.Go(func() {
				results[i].stdout, results[i].stderr, results[i].both = split(k.tail.Chunks())
			})
		}
		readers.Go(func() { // one that stops early
			for range k.tail.Chunks() {
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
		k.tail.close()
		readers.Wait()
		for _, got := range results {
			if got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
		if err := k.tail.failed(); err != nil {
			t.Fatal(err)
		}
	})
}

// A spool that cannot be read back is no shorter output.
func TestUnreadable(t *testing.T) {
	tail := newTail(iotestReader{}, strings.NewReader("1 0 0\n"))
	tail.grow(10, 6)
	tail.close()
	for range tail.Chunks() {
		t.Error("a chunk of nothing")
	}
	if err := tail.failed(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

type iotestReader struct{}

func (iotestReader) ReadAt([]byte, int64) (int, error) { return 0, io.ErrUnexpectedEOF }

// A long order leaves memory, and is the same.
func TestJournalSpills(t *testing.T) {
	dir := t.TempDir()
	b := &backend{write: (*os.File).Write, remove: os.Remove}
	rec := newRecord()
	j, err := openJournal(b, dir, rec)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for i := range 200_000 {
		r := streams.Run{Stream: 1 + i%2, Offset: int64(i), MS: int64(i / 100)}
		want.Write(r.Append(nil))
		if err := j.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if !j.spill || j.memory != nil {
		t.Errorf("%d bytes of order are in memory", len(j.memory))
	}
	j.finish(ending{Size: 0, DurationMS: 7}, "")
	got, err := io.ReadAll(io.NewSectionReader(j, 0, j.Size()))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes, want %d: %v", len(got), want.Len(), err)
	}
	j.end(false)
	l, alive, err := takeLeft(j.path)
	if l == nil || alive || err != nil {
		t.Fatal(l, alive, err)
	}
	defer l.close()
	if err := l.read(time.Now()); err != nil || l.record.ID != rec.ID || l.ending == nil || l.ending.DurationMS != 7 || l.order != int64(want.Len()) {
		t.Errorf("%v %+v", err, l)
	}
	if known := orderWithin(l.orderReader(), 100); known.length != int64(bytes.Index(want.Bytes(), []byte("1 100 "))) || known.lastMS != 1999 {
		t.Errorf("%+v", known)
	}
}

// A journal with anything behind its first line is read as far as it is true.
func FuzzLeft(f *testing.F) {
	head := `{"v":1,"id":"01JD5Z2V6Q8T9W0XABCDEFGHJK","time":"2026-01-01T00:00:00.000000Z"}` + "\n"
	f.Add("1 0 0\n2 4 1\n{\"exit\":3,\"size\":8}\n")
	f.Add("1 0 0\n2 4")
	f.Add("1 0 0\n\n{\"exit\":3}\ntried\ntried\n")
	f.Add("{\"exit\":[]}\n\x00\n")
	f.Fuzz(func(t *testing.T, rest string) {
		path := t.TempDir() + "/01JD5Z2V6Q8T9W0XABCDEFGHJK"
		if err := os.WriteFile(path, []byte(head+rest), 0o600); err != nil {
			t.Fatal(err)
		}
		l, _, err := takeLeft(path)
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		defer l.close()
		if err := l.read(time.Now()); err != nil {
			t.Fatal(err)
		}
		order, err := io.ReadAll(l.orderReader())
		if err != nil || !strings.HasPrefix(rest, string(order)) {
			t.Fatalf("order %q of %q: %v", order, rest, err)
		}
		for line := range strings.Lines(string(order)) {
			if _, err := streams.Parse([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
				t.Fatal(err)
			}
		}
	})
}
