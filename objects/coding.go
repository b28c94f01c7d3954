package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"cairn/objects/packfile"
)

// An object's data is decoded by itself or, if it is packed, with the bytes of another
// object, its base.

const (
	// maxPacked bounds a packed object and its base in bytes, since both are held in
	// memory.
	maxPacked = 8 << 20
	idSize    = int64(len(ID{}))
)

// coding decodes the blocks of one object.
type coding struct {
	codec codec
	lead  []byte        // the data before the first block: the ID of the base
	dict  *zstd.Decoder // has the bytes of the base; nil unless packed
}

func (c coding) decompress(frame, dst []byte) ([]byte, error) {
	switch {
	case c.dict != nil:
		return c.dict.DecodeAll(frame, dst)
	case c.codec == codecPack:
		return nil, errors.New("packed against an object that is not at hand")
	}
	return decompress(frame, dst)
}

// codingOf prepares the decoding of an object file. If its base cannot be read, the
// error is a *CorruptError, and nothing is moved.
func (s *Store) codingOf(f io.ReaderAt, id ID, h header) (coding, error) {
	c := coding{codec: h.codec}
	if h.codec != codecPack {
		return c, nil
	}
	base, err := readBase(f)
	if err != nil {
		return c, err
	}
	c.lead = base[:]
	plain, err := s.baseBytes(base)
	var bad *CorruptError
	if errors.As(err, &bad) || isAbsent(err) || errors.Is(err, errChain) {
		return c, &CorruptError{ID: id, Why: fmt.Sprintf("it is packed against %s, and that cannot be read: %v", base, err)}
	}
	if err != nil {
		return c, err
	}
	c.dict, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(BlockSize), zstd.WithDecoderDictRaw(0, plain))
	return c, err
}

// readBase reads the ID of the base, with which the data of a packed object begins.
func readBase(f io.ReaderAt) (base ID, err error) {
	err = readFull(f, base[:], headerSize)
	return base, err
}

// errChain says that a base is packed itself. That is forbidden, so that reading an
// object takes two files at most.
var errChain = errors.New("it is packed itself")

// baseBytes reads the whole of a base.
func (s *Store) baseBytes(id ID) ([]byte, error) {
	var b []byte
	loose := func() error {
		f, err := s.open(id)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err = s.readBaseFile(f, id)
		return err
	}
	err := s.find("open", id, loose, func(p *packFile, _ packfile.Entry) (err error) {
		b, err = s.readPacked(p, id)
		return err
	})
	return b, err
}

func (s *Store) readBaseFile(f file, id ID) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	h, err := readHeader(f, st.Size())
	switch {
	case err != nil:
		return nil, s.condemn(id, f, err)
	case h.codec == codecPack:
		return nil, errChain
	case h.size > maxPacked:
		return nil, fmt.Errorf("it has %d bytes, and nothing is packed against more than %d", h.size, maxPacked)
	}
	all, d := make([]byte, 0, h.size), newDigest()
	err = scan(f, h, coding{codec: h.codec}, func(_ block, plain, _ []byte) error {
		d.add(plain)
		all = append(all, plain...)
		return nil
	})
	if err == nil && d.id() != id {
		err = &damage{"digest of the bytes is " + d.id().String()}
	}
	if err != nil {
		return nil, s.condemn(id, f, err)
	}
	return all, nil
}

// recheckBase makes sure that the base of an object is there and sound, before another
// copy of the object is dropped.
func (s *Store) recheckBase(f io.ReaderAt, h header) error {
	if h.codec != codecPack {
		return nil
	}
	base, err := readBase(f)
	if err != nil {
		return unexpected(err)
	}
	b, err := s.fs.OpenFile(s.objectPath(base), os.O_RDONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return &damage{fmt.Sprintf("%s, which it is packed against, is gone", base)}
	}
	if err != nil {
		return err
	}
	defer b.Close()
	bh, err := s.recheck(b)
	if err == nil && bh.codec == codecPack {
		err = &damage{errChain.Error()}
	}
	if isDamage(err) {
		return &damage{fmt.Sprintf("%s, which it is packed against, is damaged: %v", base, err)}
	}
	return err
}

// recompress compresses those of the objects whose samples compress. It holds the lock
// only to rename, so that captures need not wait.
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
			// Another process was faster; the next gc looks again.
		case errors.As(err, &bad) || err != nil:
			failed = append(failed, err)
		case done.Before > 0:
			r.Recompressed = append(r.Recompressed, done)
		}
	}
	return errors.Join(failed...)
}

// recompressOne compresses one object. It ends with the error of stop, which is called before each block.
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

// samples is how many blocks of an object are tried: the output of a run may begin with
// bytes that do not compress, such as an archive, and go on with a log.
const samples = 8

// samplesGain says whether blocks from all over a plain object's data compress.
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

// replaceCompressed writes the compressed twin of f, verifies it, and replaces f by it.
// The header is empty if that would gain nothing.
func (s *Store) replaceCompressed(id ID, f file, st fs.FileInfo, o GCOptions, stop func() error) (header, error) {
	p, err := s.createTemp()
	if err != nil {
		return header{}, err
	}
	defer s.discard(p) // does nothing after the rename
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
		return header{}, nil // the rest compresses worse than the samples
	}
	if err := p.seal(h); err != nil {
		return h, err
	}
	if _, _, _, _, err := s.verify(p.file, id, false); err != nil {
		return h, err
	}
	return h, s.replace(id, p, st, o.LockWait, nil)
}

// replace renames p over the object if that is still the file with state st, and keeps
// its modification time, by which gc counts. also, if set, is called with the lock
// held; its error prevents the rename.
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
