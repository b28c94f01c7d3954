package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"sync"

	"cairn/internal/recent"
	"cairn/internal/streams"
	"cairn/parsers"
)

// chunkSize is the most bytes of an output that a parser gets at a time: so it fits in
// the processor's cache.
const chunkSize = 256 << 10

// source is the parsers.Source of a running capture: it reads the bytes back as they
// come, from memory or from the spool, so that the reader of the child's pipes waits
// for a parser no longer than package recent says. Any number of readers may use it at
// once.
type source struct {
	data   io.ReaderAt    // the merged output
	recent *recent.Window // its newest part; may be nil
	order  io.ReaderAt    // its stream order

	mu    sync.Mutex
	grown *sync.Cond
	state extent
	told  int64 // the size when readers were last woken
	err   error // the first read that failed
}

// extent is how much of a source exists.
type extent struct {
	size, order int64
	closed      bool
}

func newSource(data, order io.ReaderAt) *source {
	t := &source{data: data, order: order}
	t.grown = sync.NewCond(&t.mu)
	return t
}

// grow tells readers the present size. They are woken for the first bytes, so that they
// get ready while the command runs, and then for each whole chunk: their findings are
// not needed before the end, and waking a reader for each write of the child takes as
// long as keeping the bytes.
func (t *source) grow(size, order int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state.size, t.state.order = size, order
	if t.told == 0 || size-t.told >= chunkSize {
		t.told = size
		t.grown.Broadcast()
	}
}

// close tells readers that no more will come.
func (t *source) close() {
	t.mu.Lock()
	t.state.closed = true
	t.mu.Unlock()
	t.grown.Broadcast()
}

// wait returns the extent once it is beyond pos, or closed.
func (t *source) wait(pos int64) extent {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.state.size <= pos && !t.state.closed {
		t.grown.Wait()
	}
	return t.state
}

// Chunks yields the output from its first byte to its end, waiting for more.
func (t *source) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		back := backReader{data: t.data}
		if t.recent != nil {
			back.follower = t.recent.Follow()
			defer back.follower.Close()
		}
		runs := orderReader{text: t.order}
		for pos := int64(0); ; {
			have := t.wait(pos)
			if have.size <= pos {
				return
			}
			stream, end := runs.at(pos, have)
			data, err := back.read(pos, int(min(end-pos, chunkSize)))
			if len(data) == 0 {
				t.fail(pos, err)
				return
			}
			if !yield(parsers.Chunk{Stream: stream, Offset: pos, Data: data}) {
				return
			}
			pos += int64(len(data))
		}
	}
}

// backReader reads an output back: the newest bytes from memory, the rest from the
// spool.
type backReader struct {
	follower *recent.Follower // nil if nothing is in memory
	data     io.ReaderAt
	buf      []byte // grows with the output, since most are short
}

// read returns at most want bytes from pos on, valid until the next read.
func (r *backReader) read(pos int64, want int) ([]byte, error) {
	if r.follower != nil {
		if view := r.follower.View(pos); len(view) > 0 {
			return view[:min(len(view), want)], nil
		}
	}
	if want > len(r.buf) {
		r.buf = make([]byte, min(max(want, 2*len(r.buf)), chunkSize))
	}
	n, err := r.data.ReadAt(r.buf[:want], pos)
	return r.buf[:n], err
}

// fail notes that a reader could not read all bytes.
func (t *source) fail(pos int64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = fmt.Errorf("reading the output back at byte %d: %w", pos, cmp.Or(err, io.ErrNoProgress))
	}
}

// failed returns the first error of reading back.
func (t *source) failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// orderReader follows a stream order that may still grow.
type orderReader struct {
	text    io.ReaderAt
	off     int64 // offset of the next line
	pending []byte
	now     streams.Run
	next    streams.Run
	hasNext bool
}

// at returns the stream of the byte at pos and the end of its run, as far as known. pos
// must never decrease.
func (o *orderReader) at(pos int64, have extent) (parsers.Stream, int64) {
	for {
		if !o.hasNext {
			o.next, o.hasNext = o.read(have.order)
		}
		if !o.hasNext || o.next.Offset > pos {
			break
		}
		o.now, o.hasNext = o.next, false
	}
	end := have.size
	if o.hasNext {
		end = min(end, o.next.Offset)
	}
	if o.now.Stream == streams.Stderr {
		return parsers.Stderr, end
	}
	return parsers.Stdout, end
}

// read returns the next line within the first limit bytes of the order.
func (o *orderReader) read(limit int64) (streams.Run, bool) {
	for {
		if i := bytes.IndexByte(o.pending, '\n'); i >= 0 {
			r, err := streams.Parse(o.pending[:i])
			o.pending = o.pending[i+1:]
			if err == nil {
				return r, true
			}
			continue
		}
		if o.off >= limit {
			return streams.Run{}, false
		}
		buf := make([]byte, min(limit-o.off, 4096))
		n, _ := o.text.ReadAt(buf, o.off)
		if n == 0 {
			return streams.Run{}, false
		}
		o.off += int64(n)
		o.pending = append(o.pending, buf[:n]...)
	}
}

// Kept is the parsers.Source of an output that was kept: data of size bytes
// and its stream order.
func Kept(data io.ReaderAt, size int64, order io.ReaderAt, orderSize int64) parsers.Source {
	t := newSource(data, order)
	t.grow(size, orderSize)
	t.close()
	return t
}
