package objects

import (
	"sync"
	"time"

	"cairn/internal/recent"
)

const (
	// A command that prints more than maxLead bytes at more than leisure, in bytes a
	// second, has what is beyond that compressed later: at the 300 MB/s or so of the
	// fastest level it would take more time than all the rest of keeping them.
	maxLead = 8 << 20
	leisure = 100 << 20

	// quiet is how long no block must have come before compression that was put off
	// goes on: a command that prints 50 MB/s or less has such pauses.
	quiet = 20 * time.Millisecond

	// maxLagAtEnd is what Commit still waits for; compressing 8 MiB takes as long
	// as it takes to fsync them uncompressed.
	maxLagAtEnd = 8 << 20

	// trial is after how many bytes compression must have gained something.
	trial = 4 * BlockSize

	// writeback is how often the kernel is asked to begin writing the spool out,
	// so that the fsync at the end does not have to write all of it.
	writeback = 8 << 20
)

// follower reads a spool file as it grows: it hashes it, and compresses it into a
// twin as long as that is worth it.
type follower struct {
	in   *Incoming
	wake chan struct{} // holds a token when there may be more to read
	end  chan struct{} // closed when no more will be written
	quit chan struct{} // closed to drop everything
	wg   sync.WaitGroup

	recent *recent.Follower // nil if nothing is in memory
	block  []byte           // for what has to be read back

	// Of the goroutine, and after it of finish:
	d     *digest
	twin  *twin // nil once given up
	err   error // of reading the spool
	dirty int64 // up to here writeback was started
	late  bool  // the twin was given up for want of time
}

// twin is the compressed form in the making.
type twin struct {
	*pending
	w  dataWriter
	at int64 // how many bytes of the spool it holds
}

func startFollower(in *Incoming) *follower {
	t := &follower{in: in, d: newDigest(),
		wake: make(chan struct{}, 1), end: make(chan struct{}), quit: make(chan struct{})}
	// Without room for a twin the output is kept all the same.
	if p, err := in.s.createTemp(); err == nil {
		t.twin = &twin{pending: p, w: dataWriter{f: p.file, codec: codecZstd}}
	}
	if in.recent != nil {
		t.recent = in.recent.Follow()
	}
	t.wg.Go(t.run)
	return t
}

// notify says that the spool has grown. It never blocks.
func (t *follower) notify() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *follower) run() {
	if t.recent != nil {
		defer t.recent.Close()
	}
	ending, patience, started := false, quiet, time.Now()
	for t.err == nil {
		left := t.in.Size() - t.d.size
		switch {
		case left >= BlockSize || ending && left > 0:
			atLeisure := t.d.size <= t.in.lead+int64(time.Since(started).Seconds()*leisure)
			t.step(min(BlockSize, left), atLeisure && left <= maxLagAtEnd)
			patience = quiet
			continue
		case ending:
			t.catchUpAtEnd()
			return
		}
		var pause <-chan time.Time
		if t.twin != nil && t.twin.at < t.d.size {
			pause = time.After(patience)
		}
		select {
		case <-t.wake:
		case <-pause:
			t.catchUp()
			patience = 0
		case <-t.end:
			ending = true
		case <-t.quit:
			return
		}
	}
}

// step takes in one block, and compresses it unless the writer is too fast.
// When a block was put off so are those behind it: the twin holds the beginning of
// the spool.
func (t *follower) step(size int64, slow bool) {
	block := t.next(size)
	if t.err != nil {
		return
	}
	if t.twin != nil && t.twin.at == t.d.size && slow {
		t.compress(block)
	}
	t.d.add(block)
	putOff := t.twin == nil || t.twin.at < t.d.size
	if putOff && t.d.size-t.dirty >= writeback {
		t.in.spool.StartWriteback(headerSize+t.dirty, t.d.size-t.dirty)
		t.dirty = t.d.size
	}
}

// compress adds the next block to the twin, if that turns out to be worth it.
func (t *follower) compress(block []byte) {
	err := t.twin.w.add(block)
	t.twin.at += int64(len(block))
	if err != nil || t.twin.at >= trial && !gains(t.twin.at, t.twin.w.stored) {
		t.giveUp()
	}
}

// catchUp compresses one block that was put off.
func (t *follower) catchUp() {
	if block := t.readBack(t.twin.at, min(BlockSize, t.d.size-t.twin.at)); t.err == nil {
		t.compress(block)
	}
}

// next gives the next size bytes of the output, until the next read: from memory if
// they are there, else from the spool.
func (t *follower) next(size int64) []byte {
	if t.recent != nil {
		if view := t.recent.View(t.d.size); int64(len(view)) >= size {
			return view[:size]
		}
	}
	return t.readBack(t.d.size, size)
}

// readBack reads from the spool.
func (t *follower) readBack(from, size int64) []byte {
	if t.block == nil {
		t.block = make([]byte, BlockSize)
	}
	t.err = readFull(t.in.spool, t.block[:size], headerSize+from)
	return t.block[:size]
}

// catchUpAtEnd compresses the rest of what was put off, unless it is too much.
func (t *follower) catchUpAtEnd() {
	if t.twin != nil && t.d.size-t.twin.at > maxLagAtEnd {
		t.late = true
		t.giveUp()
	}
	for t.err == nil && t.twin != nil && t.twin.at < t.d.size {
		t.catchUp()
	}
}

// giveUp ends compression; the spool will be the object.
func (t *follower) giveUp() {
	if t.twin != nil {
		t.in.s.discard(t.twin.pending)
		t.twin = nil
	}
}

// finish waits until everything is taken in. The twin is nil if the spool is to
// be the object.
func (t *follower) finish() (*digest, *twin, error) {
	close(t.end)
	t.wg.Wait()
	if t.err != nil || t.twin != nil && !gains(t.d.size, t.twin.w.stored) {
		t.giveUp()
	}
	return t.d, t.twin, t.err
}

func (t *follower) abort() {
	close(t.quit)
	t.wg.Wait()
	t.giveUp()
}

func (tw *twin) publish(s *Store, d *digest) (Info, error) {
	h := tw.w.header(d)
	if err := tw.seal(h); err != nil {
		s.discard(tw.pending)
		return Info{}, err
	}
	return s.publishTemp(tw.pending, d.id(), h)
}
