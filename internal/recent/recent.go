// Package recent keeps the newest bytes of a growing output in memory, so that
// followers (which hash it, or look for findings) need not read them back from the file
// that they were written to.
//
// It promises that a view shows the bytes at its offset and does not change until it is
// released; that the writer waits for at most Patience for each block that it fills;
// and that no more than Blocks blocks are held, and one more for each view that has
// fallen behind them. It does not promise that a byte is still in memory: a follower
// that falls behind reads the file.
//
// What may go in: memory and its readers. What the bytes mean, and where else they are
// kept, belongs elsewhere.
package recent

import (
	"sync"
	"time"
)

const (
	// BlockSize is the bytes of a block. The first block begins with the output.
	BlockSize = 1 << 20
	// firstSize is the bytes of the first block until more come, since most outputs are
	// short.
	firstSize = 64 << 10
	// Blocks is how many of the newest blocks are kept.
	Blocks = 4
	// Patience is how long the writer waits for followers, at most, if a block is full
	// and they are about to miss one. A command that prints a gigabyte a second is
	// slowed down to a quarter of that; otherwise its capture would have to wait for
	// the followers at its end.
	Patience = 4 * time.Millisecond
)

// Window is the newest part of one output. Room, Put and Pace are for one goroutine,
// the other methods for any.
type Window struct {
	mu        sync.Mutex
	size      int64 // bytes put in so far
	paced     int64 // how many full blocks there were at the last Pace
	blocks    [Blocks]*block
	spare     *block // a block to be reused
	followers []*Follower
	need      int64         // the offset that all followers must reach for the waiting writer; 0: it does not wait
	reached   chan struct{} // holds a value when they have reached it
}

type block struct {
	data  []byte
	start int64 // offset in the output
	views int   // number of views of it
}

// New makes a window of an output that has no bytes yet.
func New() *Window { return &Window{reached: make(chan struct{}, 1)} }

// Room is the buffer for the next bytes: read into it, then call Put. It is never
// empty.
func (w *Window) Room() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.blocks[w.size/BlockSize%Blocks]
	switch {
	case w.size == 0 && b == nil:
		b = &block{data: make([]byte, firstSize)}
		w.blocks[0] = b
	case b == nil || b.start+BlockSize <= w.size:
		b = w.renew(b)
	case w.size == firstSize && len(b.data) == firstSize:
		whole := make([]byte, BlockSize) // existing views of the first bytes stay valid
		copy(whole, b.data)
		b.data = whole
	}
	return b.data[w.size-b.start:]
}

// renew returns an empty block to replace the oldest one.
func (w *Window) renew(old *block) *block {
	b := old
	if old == nil || old.views > 0 { // its last view returns it
		if b, w.spare = w.spare, nil; b == nil {
			b = &block{data: make([]byte, BlockSize)}
		}
	}
	b.start = w.size
	w.blocks[w.size/BlockSize%Blocks] = b
	return b
}

// Put adds p to the output. Bytes that were read into Room are not copied.
func (w *Window) Put(p []byte) {
	for len(p) > 0 {
		room := w.Room()
		n := len(p)
		if &room[0] != &p[0] {
			n = copy(room, p)
		}
		w.mu.Lock()
		w.size += int64(n)
		w.mu.Unlock()
		p = p[n:]
	}
}

// Pace waits a moment, once for each block, for followers that are about to miss a
// block. They must already know of the new bytes.
func (w *Window) Pace() {
	w.mu.Lock()
	full := w.size / BlockSize
	if full == w.paced || w.slowest() >= (full-(Blocks-1))*BlockSize {
		w.paced = full
		w.mu.Unlock()
		return
	}
	w.paced = full
	w.need = (full - (Blocks - 1)) * BlockSize // not further, so that all have something to do
	select {
	case <-w.reached: // a value from an earlier wait
	default:
	}
	w.mu.Unlock()
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	select {
	case <-w.reached:
	case <-patience.C:
	}
}

// slowest is the offset of the follower that is furthest behind.
func (w *Window) slowest() int64 {
	least := w.size
	for _, f := range w.followers {
		least = min(least, f.at)
	}
	return least
}

// Follower reads an output from its beginning to its end.
type Follower struct {
	w    *Window
	at   int64
	view *block
}

// Follow returns a follower that begins at the first byte. It must be closed.
func (w *Window) Follow() *Follower {
	f := &Follower{w: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.followers = append(w.followers, f)
	return f
}

// View returns the contiguous bytes in memory from an offset on, valid until the next call of
// View or Close. It is empty if the bytes have not come yet, or are no longer in memory.
func (f *Follower) View(from int64) []byte {
	w := f.w
	w.mu.Lock()
	defer w.mu.Unlock()
	f.release()
	f.moveTo(from)
	b := w.blocks[from/BlockSize%Blocks]
	if b == nil || from < b.start || from >= min(w.size, b.start+BlockSize) {
		return nil
	}
	b.views++
	f.view = b
	return b.data[from-b.start : min(w.size-b.start, int64(len(b.data)))]
}

// moveTo notes the follower's offset, and wakes the writer if it waits for that.
func (f *Follower) moveTo(at int64) {
	f.at = at
	if w := f.w; w.need > 0 && w.slowest() >= w.need {
		w.need = 0
		select {
		case w.reached <- struct{}{}:
		default:
		}
	}
}

// release ends the view.
func (f *Follower) release() {
	b := f.view
	if b == nil {
		return
	}
	f.view = nil
	if b.views--; b.views == 0 && f.w.blocks[b.start/BlockSize%Blocks] != b {
		f.w.spare = b
	}
}

// Close ends the view; the writer no longer waits for this follower.
func (f *Follower) Close() {
	w := f.w
	w.mu.Lock()
	defer w.mu.Unlock()
	f.release()
	for i, other := range w.followers {
		if other == f {
			w.followers = append(w.followers[:i], w.followers[i+1:]...)
			break
		}
	}
	f.moveTo(w.size)
}
