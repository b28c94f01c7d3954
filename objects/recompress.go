package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// recompress compresses the objects of which a first block compresses. The lock
// is held only to rename, so that captures need not wait.
func (s *Store) recompress(ctx context.Context, o GCOptions, bulky []ID, r *GCReport) error {
	var failed []error
	for _, id := range bulky {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		done, err := s.recompressOne(id, o, ctx.Err)
		var bad *CorruptError
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errRaced):
			// Someone else was faster; the next gc looks again.
		case errors.As(err, &bad) || err != nil:
			failed = append(failed, err)
		case done.Before > 0:
			r.Recompressed = append(r.Recompressed, done)
		}
	}
	return errors.Join(failed...)
}

// recompressOne ends with an error of stop, which is asked before each block.
func (s *Store) recompressOne(id ID, o GCOptions, stop func() error) (Recompression, error) {
	f, err := s.fs.OpenFile(s.objectPath(id), os.O_RDONLY, 0)
	if err != nil {
		return Recompression{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return Recompression{}, err
	}
	first := make([]byte, min(BlockSize, st.Size()-headerSize))
	if err := readFull(f, first, headerSize); err != nil {
		return Recompression{}, err
	}
	done := Recompression{ID: id, Before: st.Size()}
	switch {
	case !worthwhile(first):
		return Recompression{}, nil
	case o.DryRun:
		return done, nil
	}
	h, err := s.replaceCompressed(id, f, st, o, stop)
	done.After = h.stored + headerSize
	return done, err
}

// replaceCompressed writes the compressed twin of f, makes sure of it, and puts
// it in the place of f.
func (s *Store) replaceCompressed(id ID, f file, st fs.FileInfo, o GCOptions, stop func() error) (header, error) {
	p, err := s.createTemp()
	if err != nil {
		return header{}, err
	}
	defer s.discard(p) // after the rename there is nothing left to remove
	d := newDigest()
	h, err := encodeStream(p.file, d, interruptible{io.NewSectionReader(f, headerSize, st.Size()-headerSize), stop})
	if err != nil {
		return h, err
	}
	if d.id() != id {
		return h, s.condemn(id, f, &damage{"digest of the bytes is " + d.id().String()})
	}
	if err := p.seal(h); err != nil {
		return h, err
	}
	if _, _, _, _, err := s.verify(p.file, id, false); err != nil {
		return h, err
	}
	return h, s.replace(id, p, st, o.LockWait, nil)
}

// replace renames p over the object if that is still the file of st, and lets it
// keep its modification time, by which gc counts. also, when set, is asked with the
// lock held.
func (s *Store) replace(id ID, p *pending, st fs.FileInfo, wait time.Duration, also func() error) error {
	unlock, err := s.lock(true, wait)
	if err != nil {
		return err
	}
	defer unlock()
	is, err := s.fs.Stat(s.objectPath(id))
	if err != nil {
		return err
	}
	if !os.SameFile(st, is) {
		return errRaced
	}
	if also != nil {
		if err := also(); err != nil {
			return err
		}
	}
	if closeBeforeRename {
		p.Close()
	}
	if err := s.fs.Chtimes(p.path, is.ModTime()); err != nil {
		return err
	}
	if err := s.fs.Rename(p.path, s.objectPath(id)); err != nil {
		return err
	}
	return s.fs.SyncDir(s.objectDir(id))
}
