package objects

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	// smallMax is the most bytes that are compressed in one call from memory. Up to
	// this size a reused encoder is ten times faster than a stream of its own.
	smallMax = 256 << 10

	// diskBlock is the least that a file takes on disk, in bytes; compression gains
	// nothing for an object file that fits.
	diskBlock = 4096
)

// Put stores all that r reads. When it returns without error, the object is durable.
// Memory is bounded for any length.
func (s *Store) Put(r io.Reader) (Info, error) {
	head := bytes.NewBuffer(nil)
	n, err := io.CopyN(head, r, smallMax+1)
	if errors.Is(err, io.EOF) {
		return s.PutBytes(head.Bytes())
	}
	if err != nil {
		return Info{}, fmt.Errorf("put object: read after %d bytes: %w", n, err)
	}
	return s.putStream(io.MultiReader(head, r))
}

// PutBytes stores b.
func (s *Store) PutBytes(b []byte) (Info, error) {
	switch {
	case len(b) == 0:
		return s.noBytes(), nil
	case len(b) > smallMax:
		return s.putStream(bytes.NewReader(b))
	}
	d := newDigest()
	d.add(b)
	if info, ok, err := s.dedupe(d.id()); ok || err != nil {
		return info, err
	}
	h, data := encodeSmall(d, b)
	return s.putFrame(d.id(), h, data)
}

// encodeSmall chooses the codec for bytes in memory, and returns the header and the data.
func encodeSmall(d *digest, b []byte) (header, []byte) {
	h := d.plain()
	if len(b)+headerSize <= diskBlock {
		return h, b
	}
	z := compress(b, nil)
	if !gains(h.size, int64(len(z))) {
		return h, b
	}
	h.codec, h.stored, h.crc = codecZstd, int64(len(z)), checksum(z)
	return h, z
}

// putFrame writes a whole object file with one write, and publishes it.
func (s *Store) putFrame(id ID, h header, data []byte) (Info, error) {
	return s.putTemp(func(p *pending) (ID, header, error) {
		_, err := writeAt(p.file, append(h.encode(), data...), 0)
		if err == nil {
			err = p.Sync()
		}
		return id, h, err
	})
}

// putTemp publishes a file that write fills, and discards it if that fails.
func (s *Store) putTemp(write func(*pending) (ID, header, error)) (Info, error) {
	p, err := s.createTemp()
	if err != nil {
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	id, h, err := write(p)
	if err != nil {
		s.discard(p)
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	return s.publishTemp(p, id, h)
}

// publishTemp is publish, but discards the file on failure.
func (s *Store) publishTemp(p *pending, id ID, h header) (Info, error) {
	info, err := s.publish(p, id, h)
	if err != nil && info.ID.IsZero() {
		s.discard(p)
	}
	return info, err
}

// putStream writes an object of any length block by block.
func (s *Store) putStream(r io.Reader) (Info, error) {
	return s.putTemp(func(p *pending) (ID, header, error) {
		d := newDigest()
		h, err := encodeStream(p.file, d, r)
		if err == nil {
			err = p.seal(h)
		}
		return d.id(), h, err
	})
}

// encodeStream writes the data to f behind the header, and returns the header. The
// first block decides the codec for all.
func encodeStream(f io.WriterAt, d *digest, r io.Reader) (header, error) {
	return encodeBlocks(f, d, r, worthwhile)
}

// encodeBlocks is encodeStream that compresses if worth says so of the first block.
func encodeBlocks(f io.WriterAt, d *digest, r io.Reader, worth func(first []byte) bool) (header, error) {
	w := dataWriter{f: f}
	err := w.blocks(d, r, worth)
	return w.header(d), err
}

// blocks writes all that r reads.
func (w *dataWriter) blocks(d *digest, r io.Reader, worth func(first []byte) bool) error {
	block := make([]byte, BlockSize)
	for {
		n, err := readBlock(r, block)
		if err != nil {
			return fmt.Errorf("read after %d bytes: %w", d.size, err)
		}
		if n == 0 {
			return nil
		}
		if d.size == 0 && worth(block[:n]) {
			w.codec = codecZstd
		}
		d.add(block[:n])
		if err := w.add(block[:n]); err != nil {
			return err
		}
	}
}

// readBlock fills the block, or as much of it as r has. Unlike io.ReadFull it can tell
// the end of r from a reader that fails with io.ErrUnexpectedEOF because it was cut
// off.
func readBlock(r io.Reader, block []byte) (n int, err error) {
	for n < len(block) && err == nil {
		var more int
		more, err = r.Read(block[n:])
		n += more
	}
	if err == io.EOF {
		return n, nil
	}
	return n, err
}

// worthwhile says whether compressing a block saves enough.
func worthwhile(block []byte) bool { return gains(int64(len(block)), int64(len(compress(block, nil)))) }

// dataWriter writes the data of an object file block by block.
type dataWriter struct {
	f      io.WriterAt
	codec  codec
	stored int64
	crc    uint32
	buf    []byte
}

func (w *dataWriter) add(block []byte) error {
	out := block
	if w.codec == codecZstd {
		w.buf = compress(block, w.buf[:0])
		out = w.buf
	}
	return w.append(out)
}

// append writes a block in its stored form.
func (w *dataWriter) append(out []byte) error {
	if _, err := writeAt(w.f, out, headerSize+w.stored); err != nil {
		return err
	}
	w.stored += int64(len(out))
	w.crc = addChecksum(w.crc, out)
	return nil
}

func (w *dataWriter) header(d *digest) header {
	return header{w.codec, d.size, w.stored, d.lineCount(), w.crc}
}

// tempSuffix marks files in incoming/ that only the process which holds their lock can
// use.
const tempSuffix = ".tmp"

// recheckLimit is how many bytes of stored data are read again to make sure that the
// copy in the store is as good as the one about to be dropped: 64 MiB cost about as
// much as hashing the output did.
const recheckLimit = 64 << 20

// A pending file is a file that has no final name yet.
type pending struct {
	file
	path string
}

// createIn makes a new file in incoming/ and locks it.
func (s *Store) createIn(name string) (*pending, error) {
	path := s.incoming(name)
	f, err := s.make(path, os.O_EXCL)
	if err != nil {
		return nil, err
	}
	if err := waitLock(f, true, s.wait); err != nil {
		f.Close()
		s.fs.Remove(path)
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &pending{f, path}, nil
}

func (s *Store) createTemp() (*pending, error) { return s.createIn(rand.Text() + tempSuffix) }

// discard closes and removes a pending file.
func (s *Store) discard(p *pending) {
	p.Close()
	s.fs.Remove(p.path)
}

// seal writes the header and makes the file durable under its present name.
func (p *pending) seal(h header) error {
	if _, err := writeAt(p.file, h.encode(), 0); err != nil {
		return err
	}
	return p.Sync()
}

// publish gives a sealed file its final name, or drops it if the store has the object.
// If it fails, the file keeps its present name and is still open.
func (s *Store) publish(p *pending, id ID, h header) (Info, error) {
	if closeBeforeRename {
		p.Close()
	}
	for range 3 {
		err := s.rename(p, id)
		if err == nil {
			p.Close()
			return h.info(id, s.now()), s.fs.SyncDir(s.objectDir(id))
		}
		// Another process may recover a spool that had to be closed first; then the
		// object exists.
		taken := closeBeforeRename && errors.Is(err, fs.ErrNotExist)
		if !taken && !errors.Is(err, fs.ErrExist) {
			return Info{}, fmt.Errorf("publish object %s: %w", id, err)
		}
		info, ok, err := s.dedupe(id)
		if err != nil {
			return Info{}, err
		}
		if ok {
			s.discard(p)
			return info, nil
		}
	}
	return Info{}, fmt.Errorf("publish object %s: %w", id, errRaced)
}

// rename holds the lock shared, so that gc never sees half of a publish.
func (s *Store) rename(p *pending, id ID) error {
	if err := s.mkdirAll(s.objectDir(id)); err != nil {
		return err
	}
	unlock, err := s.lock(false, s.wait)
	if err != nil {
		return err
	}
	defer unlock()
	return s.fs.RenameNew(p.path, s.objectPath(id))
}

// dedupe looks for a sound copy of the object with a file of its own, and refreshes its
// modification time under the lock, so that no gc takes it before a record names it. A
// copy in a pack file does not count, since that may be about to be removed: Pack drops
// one of the two later. A damaged copy is moved aside and does not count.
func (s *Store) dedupe(id ID) (Info, bool, error) {
	f, err := s.fs.OpenFile(s.objectPath(id), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, false, nil
	}
	if err != nil {
		return Info{}, false, err
	}
	defer f.Close()
	h, err := s.recheck(f)
	if isDamage(err) {
		err := s.condemn(id, f, err)
		if _, there := s.fs.Stat(s.objectPath(id)); there == nil && !errors.Is(err, errRaced) {
			return Info{}, false, err // the damaged copy could not be moved away
		}
		return Info{}, false, nil
	}
	if err != nil {
		return Info{}, false, err
	}
	ok, err := s.touch(id)
	if err != nil || !ok {
		return Info{}, false, err
	}
	info := h.info(id, s.now())
	info.Deduped = true
	return info, true, s.fs.SyncDir(s.objectDir(id))
}

// touch sets the object's modification time to now; false if the object was removed meanwhile.
func (s *Store) touch(id ID) (bool, error) {
	unlock, err := s.lock(false, s.wait)
	if err != nil {
		return false, err
	}
	defer unlock()
	err = s.fs.Chtimes(s.objectPath(id), s.now())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// recheck checks the header, the length and, up to recheckLimit, the checksum of the
// data.
func (s *Store) recheck(f file) (header, error) {
	st, err := f.Stat()
	if err != nil {
		return header{}, err
	}
	h, err := readHeader(f, st.Size())
	if err != nil || h.stored > recheckLimit {
		return h, err
	}
	buf := make([]byte, min(h.stored, 128<<10))
	crc := uint32(0)
	for off := int64(0); off < h.stored; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), h.stored-off)], headerSize+off)
		if n == 0 && err != nil {
			return h, unexpected(err)
		}
		crc = addChecksum(crc, buf[:n])
		off += int64(n)
	}
	if crc != h.crc {
		return h, &damage{"checksum of the data does not match"}
	}
	return h, s.recheckBase(f, h)
}

func isDamage(err error) bool {
	var d *damage
	return errors.As(err, &d)
}

// unexpected turns an end of file inside an object into damage.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return &damage{"file ends early"}
	}
	return err
}
