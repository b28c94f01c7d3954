package objects

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// smallMax is the most that is compressed in one go from memory. Up to here a
	// reused encoder is ten times faster than a stream of its own.
	smallMax = 256 << 10

	// diskBlock is what a file takes at least; a frame that fits gains nothing
	// from compression.
	diskBlock = 4096
)

// Put stores what r gives, to its end. When it returns without error the object
// is durable. Memory is bounded whatever the length.
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

// encodeSmall chooses the codec for bytes in memory.
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

// putFrame writes a whole object file with one write.
func (s *Store) putFrame(id ID, h header, data []byte) (Info, error) {
	p, err := s.createTemp()
	if err != nil {
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	_, err = writeAt(p.file, append(h.encode(), data...), 0)
	if err == nil {
		err = p.Sync()
	}
	if err != nil {
		s.discard(p)
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	return s.publishTemp(p, id, h)
}

// publishTemp is publish for a file that is worth nothing if that fails.
func (s *Store) publishTemp(p *pending, id ID, h header) (Info, error) {
	info, err := s.publish(p, id, h)
	if err != nil && info.ID.IsZero() {
		s.discard(p)
	}
	return info, err
}

// putStream writes an object of any length block by block.
func (s *Store) putStream(r io.Reader) (Info, error) {
	p, err := s.createTemp()
	if err != nil {
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	d := newDigest()
	h, err := encodeStream(p.file, d, r)
	if err == nil {
		err = p.seal(h)
	}
	if err != nil {
		s.discard(p)
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	return s.publishTemp(p, d.id(), h)
}

// encodeStream writes data to f from the end of the header on and returns the
// header for it. The first block decides the codec for all.
func encodeStream(f io.WriterAt, d *digest, r io.Reader) (header, error) {
	block := make([]byte, BlockSize)
	w := dataWriter{f: f}
	for {
		n, err := readBlock(r, block)
		if err != nil {
			return header{}, fmt.Errorf("read after %d bytes: %w", d.size, err)
		}
		if n == 0 {
			return w.header(d), nil
		}
		if d.size == 0 && worthwhile(block[:n]) {
			w.codec = codecZstd
		}
		d.add(block[:n])
		if err := w.add(block[:n]); err != nil {
			return header{}, err
		}
	}
}

// readBlock fills the block, or as much of it as there is. Unlike io.ReadFull it
// tells the end from a reader whose own error is io.ErrUnexpectedEOF: that one
// was cut off.
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

// worthwhile tries a block.
func worthwhile(block []byte) bool {
	return gains(int64(len(block)), int64(len(compress(block, nil))))
}

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
