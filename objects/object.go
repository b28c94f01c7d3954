package objects

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"cairn/objects/packfile"
)

// An Object is an open object whose bytes were verified before it was returned.
// It may be used from several goroutines; Read and Seek share one position.
type Object struct {
	info   Info
	f      file
	coding coding
	blocks []block

	mu    sync.Mutex
	pos   int64
	at    int    // index of the block in plain; -1 for none
	plain []byte // content of that block
	raw   []byte // buffer
}

// OpenObject verifies an object from its first byte to its last and opens it. It never returns
// unverified bytes. The error is ErrNotFound, *GoneError, *CorruptError (the file is then in
// quarantine) or an I/O error.
//
// It needs memory for two blocks, and 32 bytes for each further block: 12 MB for 400 GB.
func (s *Store) OpenObject(id ID) (*Object, error) {
	if id == emptyID {
		return &Object{info: s.noBytes(), at: -1}, nil
	}
	s = s.holder(id)
	var o *Object
	loose := func() (err error) {
		o, err = s.openOnce(id)
		return err
	}
	err := s.find("open", id, loose, func(p *packFile, e packfile.Entry) error {
		b, err := s.readPacked(p, id)
		o = &Object{info: p.info(e), blocks: []block{{size: e.Size}}, plain: b} // its only block is loaded
		return err
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (s *Store) openOnce(id ID) (*Object, error) {
	f, err := s.open(id)
	if err != nil {
		return nil, err
	}
	h, c, blocks, only, err := s.verify(f, id, true)
	if err != nil {
		err = s.condemn(id, f, err)
		f.Close()
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	o := &Object{info: h.info(id, st.ModTime()), f: f, coding: c, blocks: blocks, at: -1}
	if only != nil {
		o.at, o.plain = 0, only
	}
	return o, nil
}

// ReadAll returns the whole object. It is for objects known to be small.
func (s *Store) ReadAll(id ID) ([]byte, error) {
	o, err := s.OpenObject(id)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	b := make([]byte, o.Size())
	_, err = io.ReadFull(o, b)
	return b, err
}

// Info describes the object.
func (o *Object) Info() Info { return o.info }

// Size is the number of bytes of the object.
func (o *Object) Size() int64 { return o.info.Size }

// Close closes the object's file.
func (o *Object) Close() error {
	if o.f == nil {
		return nil
	}
	return o.f.Close()
}

// ReadAt implements io.ReaderAt.
func (o *Object) ReadAt(p []byte, off int64) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.readAt(p, off)
}

func (o *Object) readAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read object %s: negative offset %d", o.info.ID, off)
	}
	for n < len(p) {
		if off >= o.info.Size {
			return n, io.EOF
		}
		if err := o.load(int(off / BlockSize)); err != nil {
			return n, err
		}
		c := copy(p[n:], o.plain[off%BlockSize:])
		n, off = n+c, off+int64(c)
	}
	return n, nil
}

// load makes o.plain the content of block i, and checks it against the block that was verified.
func (o *Object) load(i int) (err error) {
	if o.at == i {
		return nil
	}
	o.at = -1
	b := o.blocks[i]
	o.plain, o.raw, err = b.load(o.f, o.coding, o.raw, o.plain[:0])
	if err == nil && checksum(o.plain) != b.crc {
		err = &damage{"bytes changed after they were verified"}
	}
	if isDamage(err) {
		return &CorruptError{ID: o.info.ID, Why: err.Error()}
	}
	if err != nil {
		return fmt.Errorf("read object %s: %w", o.info.ID, err)
	}
	o.at = i
	return nil
}

// Read implements io.Reader.
func (o *Object) Read(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.readAt(p, o.pos)
	o.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// WriteTo implements io.WriterTo: it writes block by block without a copy.
func (o *Object) WriteTo(w io.Writer) (n int64, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.pos < o.info.Size {
		if err := o.load(int(o.pos / BlockSize)); err != nil {
			return n, err
		}
		c, err := w.Write(o.plain[o.pos%BlockSize:])
		n, o.pos = n+int64(c), o.pos+int64(c)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Seek implements io.Seeker.
func (o *Object) Seek(offset int64, whence int) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch whence {
	case io.SeekCurrent:
		offset += o.pos
	case io.SeekEnd:
		offset += o.info.Size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek in object %s: position %d is before the start", o.info.ID, offset)
	}
	o.pos = offset
	return offset, nil
}

// block is where one block of an object lies in its file, and its size.
type block struct {
	off    int64 // in the file
	stored int64 // bytes in the file
	size   int64 // bytes of the object
	crc    uint32
}

// load reads one block and appends its content to dst; raw is a buffer to reuse.
func (b block) load(f io.ReaderAt, c coding, raw, dst []byte) (plain, scratch []byte, err error) {
	if c.codec == codecNone {
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
	dst, err = c.decompress(raw, dst)
	if err != nil {
		return nil, raw, &damage{err.Error()}
	}
	if int64(len(dst)) != b.size {
		return nil, raw, &damage{fmt.Sprintf("block of %d bytes unpacks to %d", b.size, len(dst))}
	}
	return dst, raw, nil
}

// scan reads the data of an object from beginning to end and calls visit with every block and,
// if compressed, its stored bytes; visit must not keep them. scan checks everything but the
// object's ID. The error is a *damage, an I/O error or that of visit.
func scan(f io.ReaderAt, h header, c coding, visit func(b block, plain, stored []byte) error) error {
	var plain, raw []byte
	end := headerSize + h.stored
	crc, left := checksum(c.lead), h.size
	for off := headerSize + int64(len(c.lead)); left > 0 || off < end; {
		b, err := nextBlock(f, h, off, left)
		if err != nil {
			return unexpected(err)
		}
		if plain, raw, err = b.load(f, c, raw, plain[:0]); err != nil {
			return unexpected(err)
		}
		if h.codec == codecNone {
			crc = addChecksum(crc, plain)
		} else {
			crc = addChecksum(crc, raw)
		}
		b.crc = checksum(plain)
		if err := visit(b, plain, raw); err != nil {
			return err
		}
		off, left = off+b.stored, left-b.size
	}
	if crc != h.crc {
		return &damage{"checksum of the data does not match"}
	}
	return nil
}

// nextBlock finds the block at off. All blocks but the last have BlockSize bytes.
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

// verify reads an object file whole and checks it against its ID. With keep, it returns
// the plain bytes of a one-block object, so that they need not be read again. A file
// that looks damaged is read twice, so that a read error does not cost a good object.
func (s *Store) verify(f file, id ID, keep bool) (h header, c coding, blocks []block, only []byte, err error) {
	for range 2 {
		if h, c, blocks, only, err = s.verifyOnce(f, id, keep); !isDamage(err) {
			break
		}
	}
	return h, c, blocks, only, err
}

func (s *Store) verifyOnce(f file, id ID, keep bool) (h header, c coding, blocks []block, only []byte, err error) {
	st, err := f.Stat()
	if err != nil {
		return header{}, c, nil, nil, err
	}
	if h, err = readHeader(f, st.Size()); err != nil {
		return header{}, c, nil, nil, err
	}
	if c, err = s.codingOf(f, id, h); err != nil {
		return header{}, c, nil, nil, err
	}
	d := newDigest()
	err = scan(f, h, c, func(b block, plain, _ []byte) error {
		d.add(plain)
		blocks = append(blocks, b)
		if keep && h.size <= BlockSize {
			only = plain // scan does not overwrite it with a second block
		}
		return nil
	})
	switch {
	case err != nil:
		return h, c, nil, nil, err
	case d.id() != id:
		return h, c, nil, nil, &damage{"digest of the bytes is " + d.id().String()}
	case d.lineCount() != h.lines:
		return h, c, nil, nil, &damage{fmt.Sprintf("holds %d lines, the header says %d", d.lineCount(), h.lines)}
	}
	return h, c, blocks, only, nil
}
