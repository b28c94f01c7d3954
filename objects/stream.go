package objects

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// ErrOther says that the received bytes are not those of the expected object.
var ErrOther = errors.New("its bytes do not match the digest")

// WriteStream writes an object as a zstd stream of frames like those of an object file; frames that are stored so are
// copied. It checks every byte, and the digest at the end, so that after an error the written bytes must not be used.
func (s *Store) WriteStream(w io.Writer, id ID) error {
	holder := s.holder(id)
	f, err := holder.open(id)
	if err != nil { // in a pack file, or not here
		return s.writeAnew(w, id)
	}
	defer f.Close()
	h, err := holder.writeFile(w, f, id)
	if h.codec == codecPack || isDamage(err) { // OpenObject reads a damaged file twice and moves it aside
		o, opened := s.OpenObject(id)
		if opened != nil {
			return opened
		}
		defer o.Close()
		if err == nil {
			_, err = o.WriteTo(frames{w})
		}
	}
	if err != nil {
		return fmt.Errorf("read object %s: %w", id, err)
	}
	return nil
}

// writeAnew writes the object by compressing it.
func (s *Store) writeAnew(w io.Writer, id ID) error {
	o, err := s.OpenObject(id)
	if err != nil {
		return err
	}
	defer o.Close()
	_, err = o.WriteTo(frames{w})
	return err
}

// writeFile copies the frames of an object file. It writes nothing if the object is packed against a base.
func (s *Store) writeFile(w io.Writer, f file, id ID) (h header, err error) {
	st, err := f.Stat()
	if err != nil {
		return h, err
	}
	if h, err = readHeader(f, st.Size()); err != nil || h.codec == codecPack {
		return h, err
	}
	c, err := s.codingOf(f, id, h)
	if err != nil {
		return h, err
	}
	d, asIs := newDigest(), false
	var buf []byte
	err = scan(f, h, c, func(_ block, plain, stored []byte) error {
		if d.size == 0 {
			asIs = h.codec == codecNone && !worthwhile(plain)
		}
		d.add(plain)
		switch {
		case asIs:
			buf = plainFrame(plain, buf[:0])
			stored = buf
		case h.codec == codecNone:
			_, err := frames{w}.Write(plain)
			return err
		}
		_, err := w.Write(stored)
		return err
	})
	if err == nil && d.id() != id {
		err = &damage{"digest of the bytes is " + d.id().String()}
	}
	return h, err
}

// frames is a writer that makes a frame of each block written to it.
type frames struct{ io.Writer }

func (f frames) Write(block []byte) (int, error) {
	if len(block) == 0 {
		return 0, nil
	}
	if _, err := f.Writer.Write(compress(block, nil)); err != nil {
		return 0, err
	}
	return len(block), nil
}

// plainFrame appends an uncompressed frame of a block, several times as fast as an encoder that finds out that
// compression gains nothing.
func plainFrame(block, dst []byte) []byte {
	const fourBytesOfSize, most = 0xa0, 128 << 10 // most bytes of a block in a frame
	dst = binary.LittleEndian.AppendUint32(dst, frameMagic)
	dst = binary.LittleEndian.AppendUint32(append(dst, fourBytesOfSize), uint32(len(block)))
	for len(block) > 0 {
		n := min(most, len(block))
		head := uint32(n) << 3
		if n == len(block) {
			head |= 1 // marks the last block
		}
		dst = append(append(dst, byte(head), byte(head>>8), byte(head>>16)), block[:n]...)
		block = block[n:]
	}
	return dst
}

// maxWindow bounds the memory in bytes that a stream of other frames may ask for.
const maxWindow = 8 << 20

// PutStream stores the object in a zstd stream. Frames like those of an object file are kept as they came. If the
// bytes do not match the ID, or are more than most (below zero: any number), the error is ErrOther and nothing is
// kept. moved is called with the number of bytes as they come.
func (s *Store) PutStream(r io.Reader, id ID, most int64, moved func(int)) (Info, error) {
	p, err := s.createTemp()
	if err != nil {
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	if most < 0 {
		most = math.MaxInt64 - 1
	}
	in := &inflow{file: p.file, w: dataWriter{f: p.file}, d: newDigest(), most: most, moved: moved}
	err = in.stream(r)
	if err == nil && in.d.id() != id {
		err = ErrOther
	}
	if err == nil && in.d.size == 0 {
		s.discard(p)
		return s.noBytes(), nil
	}
	h := in.w.header(in.d)
	if err == nil {
		err = p.seal(h)
	}
	if err != nil {
		s.discard(p)
		return Info{}, fmt.Errorf("put object: %w", err)
	}
	return s.publishTemp(p, id, h)
}

// inflow is an object that is received as a zstd stream.
type inflow struct {
	file  file
	w     dataWriter
	d     *digest
	most  int64
	moved func(int)
	begun int64 // bytes whose writeback was started
}

func (in *inflow) stream(r io.Reader) error {
	from := bufio.NewReaderSize(r, maxFrame+64)
	var plain []byte
	for {
		if _, err := from.Peek(1); err != nil {
			return orNil(err)
		}
		length, _, err := frameLength(peeked{from}, 0, math.MaxInt64)
		if isDamage(err) { // a frame of another kind
			return in.other(from, nil)
		}
		if err != nil {
			return cutOff(err)
		}
		frame, err := from.Peek(int(length))
		if err != nil {
			return cutOff(err)
		}
		if plain, err = decompress(frame, plain[:0]); err != nil {
			return fmt.Errorf("%w: %w", ErrOther, err)
		}
		if len(plain) < BlockSize {
			switch _, err := from.Peek(int(length) + 1); {
			case err == nil: // more follows, so the block is not a whole one
				from.Discard(int(length))
				return in.other(from, plain)
			case err != io.EOF:
				return err
			}
			frame, _ = from.Peek(int(length))
		}
		if err := in.block(plain, frame); err != nil {
			return err
		}
		from.Discard(int(length))
	}
}

func orNil(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// block stores one block, whose frame is known.
func (in *inflow) block(plain, frame []byte) error {
	if in.d.size == 0 && len(plain)+headerSize > diskBlock && gains(int64(len(plain)), int64(len(frame))) {
		in.w.codec = codecZstd
	}
	in.d.add(plain)
	in.moved(len(plain))
	if in.d.size > in.most {
		return ErrOther
	}
	if in.w.codec != codecZstd {
		frame = plain
	}
	if err := in.w.append(frame); err != nil {
		return err
	}
	if n := in.w.stored - in.begun; n >= writeback {
		in.file.StartWriteback(headerSize+in.begun, n)
		in.begun = in.w.stored
	}
	return nil
}

// other reads a stream of frames of any kind; before are its first bytes.
func (in *inflow) other(r io.Reader, before []byte) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	rest := io.TeeReader(io.LimitReader(io.MultiReader(bytes.NewReader(before), z), in.most+1-in.d.size), counter(in.moved))
	return in.w.blocks(in.d, rest, worthwhile)
}

type counter func(int)

func (c counter) Write(p []byte) (int, error) {
	c(len(p))
	return len(p), nil
}

// peeked is a reader that looks at the next bytes without consuming them.
type peeked struct{ *bufio.Reader }

func (p peeked) ReadAt(b []byte, off int64) (int, error) {
	all, err := p.Peek(int(off) + len(b))
	if int64(len(all)) <= off {
		return 0, cutOff(err)
	}
	if n := copy(b, all[off:]); n < len(b) {
		return n, err
	}
	return len(b), nil
}
