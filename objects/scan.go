package objects

import (
	"fmt"
	"io"
)

// block is where one block of an object lies in its file, and what it must
// contain.
type block struct {
	off    int64 // in the file
	stored int64 // bytes in the file
	size   int64 // bytes of the object
	crc    uint32
}

// load reads one block, appending its content to dst; raw is scratch space.
func (b block) load(f io.ReaderAt, c codec, raw, dst []byte) (plain, scratch []byte, err error) {
	if c == codecNone {
		dst = append(dst, make([]byte, b.size)...)
		return dst, raw, readFull(f, dst[int64(len(dst))-b.size:], b.off)
	}
	if int64(cap(raw)) < b.stored {
		raw = make([]byte, b.stored)
	}
	raw = raw[:b.stored]
	if err := readFull(f, raw, b.off); err != nil {
		return nil, raw, err
	}
	dst, err = decompress(raw, dst)
	if err != nil {
		return nil, raw, &damage{err.Error()}
	}
	if int64(len(dst)) != b.size {
		return nil, raw, &damage{fmt.Sprintf("block of %d bytes unpacks to %d", b.size, len(dst))}
	}
	return dst, raw, nil
}

// scan reads the data of an object from beginning to end and gives every block to
// visit, which must not keep plain. It checks everything but the object's ID.
// Damage is a *damage; other errors are of I/O or of visit.
func scan(f io.ReaderAt, h header, visit func(b block, plain []byte) error) error {
	var plain, raw []byte
	end := headerSize + h.stored
	crc, left := uint32(0), h.size
	for off := int64(headerSize); left > 0 || off < end; {
		b, err := nextBlock(f, h, off, left)
		if err != nil {
			return unexpected(err)
		}
		if plain, raw, err = b.load(f, h.codec, raw, plain[:0]); err != nil {
			return unexpected(err)
		}
		if h.codec == codecNone {
			crc = addChecksum(crc, plain)
		} else {
			crc = addChecksum(crc, raw)
		}
		b.crc = checksum(plain)
		if err := visit(b, plain); err != nil {
			return err
		}
		off, left = off+b.stored, left-b.size
	}
	if crc != h.crc {
		return &damage{"checksum of the data does not match"}
	}
	return nil
}

// nextBlock finds the block at off, of which all but the last are BlockSize long.
func nextBlock(f io.ReaderAt, h header, off, left int64) (block, error) {
	want := min(BlockSize, left)
	if want == 0 {
		return block{}, &damage{"data goes on after the object's end"}
	}
	if h.codec == codecNone {
		return block{off: off, stored: want, size: want}, nil
	}
	length, content, err := frameLength(f, off, headerSize+h.stored)
	if err == nil && content != want {
		err = &damage{fmt.Sprintf("zstd frame of %d bytes where %d belong", content, want)}
	}
	return block{off: off, stored: length, size: want}, err
}

func readFull(f io.ReaderAt, p []byte, off int64) error {
	n, err := f.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return unexpected(err)
}

// verify reads an object file whole and checks it against its ID. With keep, the
// plain bytes of a one-block object are returned, so that they need not be read
// again. What looks damaged is looked at twice, so that a flaw on the way from the
// disk does not cost a good object.
func verify(f file, id ID, keep bool) (h header, blocks []block, only []byte, err error) {
	for range 2 {
		if h, blocks, only, err = verifyOnce(f, id, keep); !isDamage(err) {
			break
		}
	}
	return h, blocks, only, err
}

func verifyOnce(f file, id ID, keep bool) (h header, blocks []block, only []byte, err error) {
	st, err := f.Stat()
	if err != nil {
		return header{}, nil, nil, err
	}
	if h, err = readHeader(f, st.Size()); err != nil {
		return header{}, nil, nil, err
	}
	d := newDigest()
	err = scan(f, h, func(b block, plain []byte) error {
		d.add(plain)
		blocks = append(blocks, b)
		if keep && h.size <= BlockSize {
			only = plain // scan loads no second block into it
		}
		return nil
	})
	switch {
	case err != nil:
		return h, nil, nil, err
	case d.id() != id:
		return h, nil, nil, &damage{"digest of the bytes is " + d.id().String()}
	case d.lineCount() != h.lines:
		return h, nil, nil, &damage{fmt.Sprintf("holds %d lines, the header says %d", d.lineCount(), h.lines)}
	}
	return h, blocks, only, nil
}
