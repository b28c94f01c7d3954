package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"cairn/capture/child"
	"cairn/internal/guard"
	"cairn/internal/recent"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
)

// keeper takes the child's chunks: order first, then bytes, then the others that
// wants to see them. When keeping fails the rest goes to memory as far as it
// fits, so that the answer is whole even where the record cannot be.
type keeper struct {
	spool  spooler
	order  orderer
	spare  memory // what came after the spool failed
	source *source
	recent *recent.Window
	runs   streams.Builder
	watch  []watcher
	large  func() // called once when the output is no longer short; may be nil
	unsaid []byte // what the shell prints of what was put into the line, which is taken out; nil without that
	err    error  // the first failure to keep
	lost   bool   // bytes are not even in memory

	unshown error // why no one watches any more
}

// largeSize is how many bytes a short output has at most.
const largeSize = 1 << 20

// watcher sees chunks as they come. Its errors are its own affair: a closed
// terminal must not stop a capture.
type watcher interface {
	chunk(s child.Stream, p []byte)
}

// spooler and orderer are what a keeper writes to.
type spooler interface {
	io.Writer
	io.ReaderAt
	Size() int64
}

type orderer interface {
	Add(streams.Run) error
	io.ReaderAt
	Size() int64
}

func newKeeper(spool spooler, order orderer) *keeper {
	k := &keeper{spool: spool, order: order, recent: recent.New()}
	if in, ok := spool.(incoming); ok {
		in.Share(k.recent)
	}
	k.source = newSource(k, order)
	k.source.recent = k.recent
	return k
}

// Room is where the child's bytes are read to, so that those who follow need not read them again.
func (k *keeper) Room() []byte { return k.recent.Room() }

// Chunk keeps p. It never fails, so that the watchers see all of the output;
// what keeping ran into is in err.
func (k *keeper) Chunk(s child.Stream, at time.Duration, p []byte) error {
	if p = without(p, k.unsaid); len(p) == 0 {
		return nil
	}
	if err := guard.Do("showing the output as it comes", func() { k.show(s, p) }); err != nil {
		k.watch, k.unshown = nil, err
	}
	if err := guard.Do("keeping the output", func() { k.take(s, at, p) }); err != nil {
		k.lost = true
		k.fail(err)
	}
	return nil
}

// without takes a text out of p, in place. The shell writes such a text at once, so that it is not looked for across
// chunks.
func without(p, text []byte) []byte {
	if len(text) == 0 || !bytes.Contains(p, text) {
		return p
	}
	rest := p[:0]
	for part := range bytes.SplitSeq(p, text) {
		rest = append(rest, part...)
	}
	return rest
}

func (k *keeper) show(s child.Stream, p []byte) {
	for _, w := range k.watch {
		w.chunk(s, p)
	}
}

func (k *keeper) take(s child.Stream, at time.Duration, p []byte) {
	if run, begins := k.runs.Chunk(int(s), at, k.Size()); begins {
		k.fail(k.order.Add(run))
	}
	k.recent.Put(p) // first: who follows hears of whole blocks as they are kept
	k.keep(p)
	k.source.grow(k.Size(), k.order.Size())
	if k.large != nil && k.Size() >= largeSize {
		k.large()
		k.large = nil
	}
	k.recent.Pace()
}

func (k *keeper) keep(p []byte) {
	if k.err == nil {
		n, err := k.spool.Write(p)
		k.fail(err)
		p = p[n:]
	}
	if len(p) > 0 && !k.lost {
		_, err := k.spare.Write(p)
		k.lost = err != nil
		k.fail(err)
	}
}

func (k *keeper) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

// Size is how much can be read back.
func (k *keeper) Size() int64 { return k.spool.Size() + k.spare.Size() }

// ReadAt reads what was kept, and then what was not.
func (k *keeper) ReadAt(p []byte, off int64) (int, error) {
	kept := k.spool.Size()
	if off >= kept {
		return k.spare.ReadAt(p, off-kept)
	}
	if room := kept - off; int64(len(p)) > room {
		p = p[:room]
	}
	return k.spool.ReadAt(p, off)
}

// chunkSize is how much of an output a parser sees at a time, at most: what has
// come meanwhile is read in one go, and stays in the processor's cache.
const chunkSize = 256 << 10

// source is the parsers.Source of a capture in flight: it reads the bytes back
// as they come, from memory or from the spool, so that the reader of the child's pipes
// waits for a parser no longer than package recent says. It may be read any number of
// times at once.
type source struct {
	data   io.ReaderAt    // the merged output
	recent *recent.Window // its newest part; may be nil
	order  io.ReaderAt    // its stream order

	mu    sync.Mutex
	grown *sync.Cond
	state extent
	told  int64 // how much there was when readers were last woken
	err   error // of the first read that failed
}

// extent is how much of a source there is.
type extent struct {
	size, order int64
	closed      bool
}

func newSource(data, order io.ReaderAt) *source {
	t := &source{data: data, order: order}
	t.grown = sync.NewCond(&t.mu)
	return t
}

// grow tells readers how much there is now. They are woken for the first bytes, so that
// they get ready while the command goes on, and then when there is a whole
// chunk for them: no one asks what they found before the end, and to wake a reader
// for each write of the child costs as much as to keep what it wrote.
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

// wait gives the extent once it is beyond pos, or closed.
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

// backReader reads an output back: what came last from memory, the rest from where it
// is kept.
type backReader struct {
	follower *recent.Follower // nil if nothing is in memory
	data     io.ReaderAt
	buf      []byte // grows with the output: most are short
}

// read gives at most want bytes from pos on, until the next read.
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

// fail notes that a reader saw less than there is.
func (t *source) fail(pos int64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = fmt.Errorf("reading the output back at byte %d: %w", pos, cmp.Or(err, io.ErrNoProgress))
	}
}

// failed gives the first failure to read back.
func (t *source) failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// orderReader follows a stream order that may still grow.
type orderReader struct {
	text    io.ReaderAt
	off     int64 // of the next line
	pending []byte
	now     streams.Run
	next    streams.Run
	hasNext bool
}

// at gives the stream of the byte at pos and the end of its run, as far as
// known. Positions never go back.
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

// read takes the next line of at most limit bytes of order.
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

// passer passes the output through as it comes.
type passer struct {
	stdout, stderr io.Writer
	err            error
}

func (w *passer) chunk(s child.Stream, p []byte) {
	to := w.stdout
	if s == child.Stderr {
		to = w.stderr
	}
	if _, err := to.Write(p); err != nil {
		w.err = errors.Join(w.err, err)
	}
}

// maxMemory bounds what is held of an output that can be kept nowhere else: it
// is for showing what happened, not for keeping.
const maxMemory = 16 << 20

var errMemoryFull = errors.New("the output could not be kept and grew beyond memory: only its beginning was parsed")

// memory is a spool or an order without a place to put it.
type memory struct {
	mu   sync.Mutex
	data []byte
}

func (m *memory) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.data)+len(p) > maxMemory {
		return 0, errMemoryFull
	}
	m.data = append(m.data, p...)
	return len(p), nil
}

func (m *memory) Size() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.data))
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if off >= int64(len(m.data)) {
		return 0, io.EOF
	}
	n := copy(p, m.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Add makes a memory an order.
func (m *memory) Add(r streams.Run) error {
	_, err := m.Write(r.Append(nil))
	return err
}

// maxInlineOrder is the longest stream order that a record holds itself: with
// it, the many runs that print on one stream need no second object.
const maxInlineOrder = 64

// knownOrder is the part of a stream order that speaks of bytes that exist.
type knownOrder struct {
	length int64 // bytes of it
	lastMS int64 // when the last run began, whether its bytes exist or not
}

// orderWithin measures the part of an order that is about the first size
// bytes: a run is written before its bytes, and those may not have come. It
// ends before anything that is no order.
func orderWithin(order io.Reader, size int64) (known knownOrder) {
	lines := bufio.NewReader(order)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return known
		}
		r, err := streams.Parse(line[:len(line)-1])
		if err != nil {
			return known
		}
		if known.lastMS = r.MS; r.Offset < size {
			known.length += int64(len(line))
		}
	}
}

// keepOrder names an object and its stream order, which is made an object too
// unless it is short.
func keepOrder(b *backend, info objects.Info, order *io.SectionReader) (*manifest.Raw, error) {
	raw := &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	if order.Size() <= maxInlineOrder {
		text, err := io.ReadAll(order)
		if !atOnce(text) {
			raw.Order = streams.Inline(text)
		}
		return raw, err
	}
	o, err := b.put(order)
	if err != nil {
		raw.Order = orderLost
		return raw, fmt.Errorf("keeping the stream order: %w", err)
	}
	raw.Order = o.ID.String()
	return raw, nil
}
