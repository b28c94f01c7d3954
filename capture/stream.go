package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"cairn/capture/child"
	"cairn/internal/guard"
	"cairn/internal/recent"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// keeper keeps the child's chunks: first the order, then the bytes; then it passes them
// to the watchers. If keeping fails, the rest goes to memory up to a limit, so that the
// answer is complete even if there is no record.
type keeper struct {
	spool  spooler
	order  orderer
	spare  memory // bytes after the spool failed
	source *source
	recent *recent.Window
	runs   streams.Builder
	watch  []watcher
	large  func() // called once when the output is longer than largeSize; may be nil
	unsaid []byte // text that the shell prints because of the words put into the line, which is removed; nil if none exists
	err    error  // the first error of keeping
	lost   bool   // bytes are not even in memory

	unshown error // why the watcher was given up
}

// largeSize is how many bytes a short output has at most.
const largeSize = 1 << 20

// watcher sees chunks as they come. It handles its own errors: a closed terminal must
// not stop a capture.
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

// Room is the buffer for the child's bytes, which followers can then read without a copy.
func (k *keeper) Room() []byte { return k.recent.Room() }

// Chunk keeps p. It never fails, so that the watchers see all of the output; err has an
// error of keeping.
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

// without removes a text from p, in place. The shell writes such a text at once, so it
// is not searched for across chunks.
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
	k.recent.Put(p) // first, since followers are woken for whole blocks as they are kept
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
	k.err = cmp.Or(k.err, err)
}

// Size is how many bytes can be read back.
func (k *keeper) Size() int64 { return k.spool.Size() + k.spare.Size() }

// ReadAt reads the kept bytes, and after them those in memory.
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

// passer writes the output on as it comes.
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

// maxMemory bounds the bytes in memory of an output that cannot be kept: they are for
// the answer.
const maxMemory = 16 << 20

var errMemoryFull = errors.New("the output could not be kept and grew beyond memory: only its beginning was parsed")

// memory is a spool or an order that is held in memory.
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

// Add appends a run to an order.
func (m *memory) Add(r streams.Run) error {
	_, err := m.Write(r.Append(nil))
	return err
}

// maxInlineOrder is the longest stream order that a record itself holds, in bytes: so
// the many runs that print on one stream need no second object.
const maxInlineOrder = 64

// knownOrder is the part of a stream order that describes existing bytes.
type knownOrder struct {
	length int64 // bytes of that part
	lastMS int64 // when the last run of bytes began, whether its bytes exist or not
}

// orderWithin measures the part of an order that describes the first size bytes of the
// output: the order of bytes is written before the bytes, which may be missing. It ends
// at the first line that is not an order line.
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

// keepOrder returns the Raw of an output: its object and its stream order, which
// becomes an object too unless it is short.
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
