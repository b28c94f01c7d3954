package objects

import (
	"sync"
)

const (
	// maxLag is how far compression may fall behind the writer before it is given
	// up: at the 300 MB/s or so of the fastest level, a tenth of a second.
	maxLag = 32 << 20

	// maxLagAtEnd is what Commit still waits for; compressing 8 MiB takes as long
	// as it takes to fsync them uncompressed.
	maxLagAtEnd = 8 << 20

	// trial is after how many bytes compression must have gained something.
	trial = 4 * BlockSize

	// writeback is how often the kernel is asked to begin writing the spool out,
	// so that the fsync at the end does not have to write all of it.
	writeback = 8 << 20
)

// tail follows a spool file as it grows: it hashes it, and compresses it into a
// twin as long as that is worth it.
type tail struct {
	in   *Incoming
	wake chan struct{} // holds a token when there may be more to read
	end  chan struct{} // closed when no more will be written
	quit chan struct{} // closed to drop everything
	wg   sync.WaitGroup

	// Of the goroutine, and after it of finish:
	d     *digest
	twin  *twin // nil once given up
	err   error // of reading the spool
	dirty int64 // up to here writeback was started
}

// twin is the compressed form in the making.
type twin struct {
	*pending
	w dataWriter
}

func startTail(in *Incoming) *tail {
	t := &tail{in: in, d: newDigest(),
		wake: make(chan struct{}, 1), end: make(chan struct{}), quit: make(chan struct{})}
	// Without room for a twin the output is kept all the same.
	if p, err := in.s.createTemp(); err == nil {
		t.twin = &twin{p, dataWriter{f: p.file, codec: codecZstd}}
	}
	t.wg.Go(t.run)
	return t
}

// notify says that the spool has grown. It never blocks.
func (t *tail) notify() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *tail) run() {
	buf := make([]byte, BlockSize)
	ending := false
	for t.err == nil {
		left := t.in.Size() - t.d.size
		switch {
		case left >= BlockSize || ending && left > 0:
			t.step(buf[:min(BlockSize, left)], left, ending)
			continue
		case ending:
			return
		}
		select {
		case <-t.wake:
		case <-t.end:
			ending = true
		case <-t.quit:
			return
		}
	}
}

// step takes in one block, which is left bytes behind the writer.
func (t *tail) step(block []byte, left int64, ending bool) {
	if left > maxLag || ending && left > maxLagAtEnd {
		t.giveUp()
	}
	if t.err = readFull(t.in.spool, block, headerSize+t.d.size); t.err != nil {
		return
	}
	t.d.add(block)
	if t.twin == nil {
		if t.d.size-t.dirty >= writeback {
			t.in.spool.StartWriteback(headerSize+t.dirty, t.d.size-t.dirty)
			t.dirty = t.d.size
		}
		return
	}
	err := t.twin.w.add(block)
	if err != nil || t.d.size >= trial && !gains(t.d.size, t.twin.w.stored) {
		t.giveUp()
	}
}

// giveUp ends compression; the spool will be the object.
func (t *tail) giveUp() {
	if t.twin != nil {
		t.in.s.discard(t.twin.pending)
		t.twin = nil
	}
}

// finish waits until everything is taken in. The twin is nil if the spool is to
// be the object.
func (t *tail) finish() (*digest, *twin, error) {
	close(t.end)
	t.wg.Wait()
	if t.err != nil || t.twin != nil && !gains(t.d.size, t.twin.w.stored) {
		t.giveUp()
	}
	return t.d, t.twin, t.err
}

func (t *tail) abort() {
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
