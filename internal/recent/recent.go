// Package recent keeps the newest bytes of a growing output in memory, so that those
// who follow it (to hash it, to look for findings) need not read them back from
// the file that they were written to.
//
// It promises that a view shows the bytes that were put at its place and does not
// change until it is released; that one who writes never waits longer than Patience
// for each block that it fills; and that no more than Blocks blocks are held, and
// one more for each view that has fallen behind them. It does not promise that a byte
// is there: who falls behind reads the file.
//
// What may go in: memory and who looks at it. What the bytes are of, and where else
// they are kept, stays outside.
package recent

import (
	"sync"
	"time"
)

const (
	// BlockSize is how many bytes a block holds. The first block begins with the output.
	BlockSize = 1 << 20
	// firstSize is how many bytes the first block holds until more come: most outputs
	// are short.
	firstSize = 64 << 10
	// Blocks is how many of the newest blocks are kept.
	Blocks = 4
	// Patience is how long the one who writes waits for followers, at most, when a block
	// is full and they are about to miss one. A command that prints a gigabyte a second is
	// slowed down to a quarter of that, while its capture would have had to
	// wait for them at its end.
	Patience = 4 * time.Millisecond
)

// Window is the newest part of one output. Room, Put and Pace are for one goroutine,
// the rest is for any.
type Window struct {
	mu        sync.Mutex
	size      int64 // bytes that were put in so far
	paced     int64 // how many full blocks there were at the last Pace
	blocks    [Blocks]*block
	spare     *block // one to be used again
	followers []*Follower
	need      int64         // where all followers must be for the one who waits; 0: no one waits
	reached   chan struct{} // holds a token when they are
}

type block struct {
	data  []byte
	start int64 // where in the output it begins
	views int   // how many look at it
}

// New makes a window of an output that has no bytes yet.
func New() *Window { return &Window{reached: make(chan struct{}, 1)} }

// Room is where the next bytes go: read them into it, then put them in. It is never
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
		whole := make([]byte, BlockSize) // views of the first bytes stay as they are
		copy(whole, b.data)
		b.data = whole
	}
	return b.data[w.size-b.start:]
}

// renew puts an empty block in the place of the oldest one.
func (w *Window) renew(old *block) *block {
	b := old
	if old == nil || old.views > 0 { // its last view gives it back
		if b, w.spare = w.spare, nil; b == nil {
			b = &block{data: make([]byte, BlockSize)}
		}
	}
	b.start = w.size
	w.blocks[w.size/BlockSize%Blocks] = b
	return b
}

// Put adds p to the output. Bytes that were read into Room stay where they are.
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

// Pace gives followers some time that are about to miss a block, once for each block.
// They must have heard of what was put in.
func (w *Window) Pace() {
	w.mu.Lock()
	full := w.size / BlockSize
	if full == w.paced || w.slowest() >= (full-(Blocks-1))*BlockSize {
		w.paced = full
		w.mu.Unlock()
		return
	}
	w.paced = full
	w.need = (full - (Blocks - 1)) * BlockSize // no further: all are to have something to do
	select {
	case <-w.reached: // a token of an earlier wait
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

// slowest is where the follower is that is the furthest behind.
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

// Follow begins at the first byte. It must be ended with Close.
func (w *Window) Follow() *Follower {
	f := &Follower{w: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.followers = append(w.followers, f)
	return f
}

// View gives the bytes from an offset on that lie together in memory, until the next
// call of View or Close. There are none if they are not there yet, or no longer.
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

// moveTo notes where the follower is, and wakes the one who waits for it.
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

// Close ends the view, and the one who writes no longer waits for this follower.
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
