package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cairn/internal/recent"
)

const (
	// Of a command that prints more than maxLead bytes, at more than leisure bytes a
	// second, the rest is compressed later: at some 300 MB/s, even the fastest level
	// would take more time than all other work on the bytes.
	maxLead = 8 << 20
	leisure = 100 << 20

	// quiet is how long no block must come before postponed compression goes on. A
	// command that prints 50 MB/s or less has such pauses.
	quiet = 20 * time.Millisecond

	// maxLagAtEnd is how many postponed bytes Commit still compresses; 8 MiB take as
	// long as to fsync them uncompressed.
	maxLagAtEnd = 8 << 20

	// trial is the number of bytes after which compression must have gained something.
	trial = 4 * BlockSize

	// writeback is how many bytes are written before the kernel is asked to begin to write the
	// spool out, so that the fsync at the end does not have to write all of it.
	writeback = 8 << 20
)

// follower reads a spool file as it grows: it hashes it, and compresses it into a
// second file, the twin, as long as that is worthwhile.
type follower struct {
	in   *Incoming
	wake chan struct{} // holds a value if there may be more to read
	end  chan struct{} // closed when everything is written
	quit chan struct{} // closed to abort
	wg   sync.WaitGroup

	recent *recent.Follower // reads recent bytes from memory; nil if the caller shares none
	block  []byte           // buffer for bytes read from the spool

	// Used by the goroutine, and after its end by finish:
	d     *digest
	twin  *twin // nil if compression was given up
	err   error // of reading the spool
	dirty int64 // bytes whose writeback was started
	late  bool  // the twin was given up for lack of time
}

// twin is the compressed object while it is being written.
type twin struct {
	*pending
	w  dataWriter
	at int64 // bytes of the spool that it holds
}

func startFollower(in *Incoming) *follower {
	t := &follower{in: in, d: newDigest(),
		wake: make(chan struct{}, 1), end: make(chan struct{}), quit: make(chan struct{})}
	// If there is no room for a twin, the output is kept uncompressed.
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

// step hashes the next block, and compresses it unless slow says that the writer is too
// fast. Once a block is postponed, so are all later ones, since the twin holds the
// beginning of the spool.
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

// compress adds the next block to the twin, or gives the twin up if it gains too little.
func (t *follower) compress(block []byte) {
	err := t.twin.w.add(block)
	t.twin.at += int64(len(block))
	if err != nil || t.twin.at >= trial && !gains(t.twin.at, t.twin.w.stored) {
		t.giveUp()
	}
}

// catchUp compresses one postponed block.
func (t *follower) catchUp() {
	if block := t.readBack(t.twin.at, min(BlockSize, t.d.size-t.twin.at)); t.err == nil {
		t.compress(block)
	}
}

// next returns the next size bytes of the output, from memory if they are there, else
// from the spool. They are valid until the next read.
func (t *follower) next(size int64) []byte {
	if t.recent != nil {
		if view := t.recent.View(t.d.size); int64(len(view)) >= size {
			return view[:size]
		}
	}
	return t.readBack(t.d.size, size)
}

// readBack reads size bytes of output from the spool.
func (t *follower) readBack(from, size int64) []byte {
	if t.block == nil {
		t.block = make([]byte, BlockSize)
	}
	t.err = readFull(t.in.spool, t.block[:size], headerSize+from)
	return t.block[:size]
}

// catchUpAtEnd compresses the postponed blocks, unless they are too many.
func (t *follower) catchUpAtEnd() {
	if t.twin != nil && t.d.size-t.twin.at > maxLagAtEnd {
		t.late = true
		t.giveUp()
	}
	for t.err == nil && t.twin != nil && t.twin.at < t.d.size {
		t.catchUp()
	}
}

// giveUp ends compression; the spool itself will become the object.
func (t *follower) giveUp() {
	if t.twin != nil {
		t.in.s.discard(t.twin.pending)
		t.twin = nil
	}
}

// finish waits until all bytes are read. The twin is nil if the spool itself is to
// become the object.
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

// An output that came too fast to be compressed is stored uncompressed, and its ID is
// noted in later/, so that a process that has time need not look at every object to
// find it (doc.go, Layout).

func (s *Store) later(name string) string { return filepath.Join(s.root, "later", name) }

// note puts an ID into later/. That is only a hint: without it, GC finds the object by
// looking at all objects.
func (s *Store) note(id ID) {
	path := s.later(id.Hex())
	f, err := s.fs.OpenFile(path, os.O_WRONLY|os.O_CREATE, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		if s.fs.Mkdir(filepath.Dir(path), dirMode) == nil {
			f, err = s.fs.OpenFile(path, os.O_WRONLY|os.O_CREATE, fileMode)
		}
	}
	if err == nil {
		f.Close()
	}
}

// errNotNow interrupts the compression of an object, which stays noted.
var errNotNow = errors.New("someone else needs the machine")

// CompressNoted compresses the objects noted in later/. busy is called before each
// block: if it returns true, the work ends without an error, and a later call does the
// rest. Several processes may call CompressNoted at once; each object is compressed by
// one of them.
func (s *Store) CompressNoted(ctx context.Context, busy func() bool) (all []Recompression, err error) {
	names, err := s.fs.ReadDir(s.later(""))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	stop := func() error {
		if busy() {
			return errNotNow
		}
		return ctx.Err()
	}
	for _, name := range names {
		done, err := s.compressNoted(name.Name(), stop)
		switch {
		case errors.Is(err, errNotNow):
			return all, nil
		case err != nil:
			return all, err
		case done.Before > 0:
			all = append(all, done)
		}
	}
	return all, nil
}

// compressNoted compresses one object and removes its note, also if the object is gone,
// does not compress or cannot be read.
func (s *Store) compressNoted(name string, stop func() error) (Recompression, error) {
	path := s.later(name)
	f, err := s.fs.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Recompression{}, nil // another process has done it
	}
	defer f.Close()
	if f.TryLock(true) != nil {
		return Recompression{}, nil // another process is doing it
	}
	done := Recompression{}
	if id, err := ParseID(name); err == nil && s.isPlain(id) {
		done, err = s.recompressOne(id, GCOptions{LockWait: notedLockWait}, stop)
		var bad *CorruptError
		gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, errRaced) || errors.As(err, &bad)
		if err != nil && !gone {
			return Recompression{}, err // the note stays, for another try
		}
	}
	return done, s.fs.Remove(path)
}

// notedLockWait is short, because a holder of the shared lock is a capture that is about to end.
const notedLockWait = 2 * time.Second

// isPlain says whether an object is stored without compression.
func (s *Store) isPlain(id ID) bool {
	f, err := s.fs.OpenFile(s.objectPath(id), os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return false
	}
	h, err := readHeader(f, st.Size())
	return err == nil && h.codec == codecNone && h.size > smallMax
}

// interruptible is a reader that fails once stop returns an error.
type interruptible struct {
	io.Reader
	stop func() error
}

func (r interruptible) Read(p []byte) (int, error) {
	if err := r.stop(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
