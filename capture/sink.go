package capture

import (
	"errors"
	"io"
	"sync"
	"time"

	"cairn/capture/child"
	"cairn/internal/streams"
)

// keeper takes the child's chunks: order first, then bytes, then whoever else
// wants to see them. When keeping fails the rest goes to memory as far as it
// fits, so that the answer is whole even where the record cannot be.
type keeper struct {
	spool spooler
	order orderer
	spare memory // what came after the spool failed
	tail  *tail
	runs  streams.Builder
	watch []watcher
	err   error // the first failure to keep
	lost  bool  // bytes are not even in memory
}

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
	add(streams.Run) error
	io.ReaderAt
	Size() int64
}

func newKeeper(spool spooler, order orderer) *keeper {
	k := &keeper{spool: spool, order: order}
	k.tail = newTail(k, order)
	return k
}

// Chunk keeps p. It never fails, so that the watchers see all of the output;
// what keeping ran into is in err.
func (k *keeper) Chunk(s child.Stream, at time.Duration, p []byte) error {
	for _, w := range k.watch {
		w.chunk(s, p)
	}
	if run, begins := k.runs.Chunk(int(s), at, k.Size()); begins {
		k.fail(k.order.add(run))
	}
	k.keep(p)
	k.tail.grow(k.Size(), k.order.Size())
	return nil
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

// add makes a memory an order.
func (m *memory) add(r streams.Run) error {
	_, err := m.Write(r.Append(nil))
	return err
}
