package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// recompress compresses the objects of which samples compress. The lock is held only
// to rename, so that captures need not wait.
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
	done := Recompression{ID: id, Before: st.Size()}
	worth, err := samplesGain(f, st.Size()-headerSize)
	switch {
	case err != nil || !worth:
		return Recompression{}, err
	case o.DryRun:
		return done, nil
	}
	h, err := s.replaceCompressed(id, f, st, o, stop)
	if err == nil && h.codec != codecZstd {
		return Recompression{}, nil
	}
	done.After = h.stored + headerSize
	return done, err
}

// samples is how many blocks of an object are tried: a run may begin with what does
// not compress, such as an archive on its standard output, and go on with a log.
const samples = 8

// samplesGain tries blocks from all over the data of a plain object.
func samplesGain(f io.ReaderAt, size int64) (bool, error) {
	block := make([]byte, min(BlockSize, size))
	var tried, stored int64
	for i := range int64(samples) {
		at := (size - int64(len(block))) / (samples - 1) * i
		if err := readFull(f, block, headerSize+at); err != nil {
			return false, err
		}
		tried, stored = tried+int64(len(block)), stored+int64(len(compress(block, nil)))
		if size <= BlockSize {
			break
		}
	}
	return gains(tried, stored), nil
}

// replaceCompressed writes the compressed twin of f, makes sure of it, and puts
// it in the place of f. The header is empty if that would gain nothing.
func (s *Store) replaceCompressed(id ID, f file, st fs.FileInfo, o GCOptions, stop func() error) (header, error) {
	p, err := s.createTemp()
	if err != nil {
		return header{}, err
	}
	defer s.discard(p) // after the rename there is nothing left to remove
	d := newDigest()
	data := interruptible{io.NewSectionReader(f, headerSize, st.Size()-headerSize), stop}
	h, err := encodeBlocks(p.file, d, data, func([]byte) bool { return true })
	if err != nil {
		return h, err
	}
	if d.id() != id {
		return h, s.condemn(id, f, &damage{"digest of the bytes is " + d.id().String()})
	}
	if !gains(h.size, h.stored) {
		return header{}, nil // the samples were not like the rest
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
