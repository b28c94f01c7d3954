package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

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
