package objects

import (
	"errors"
	"fmt"
	"io"
	"os"

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
