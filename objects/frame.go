package objects

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	headerSize = 48
	version    = 1
)

// codec says how the data of an object file is stored.
type codec byte

const (
	codecNone  codec = 0
	codecZstd  codec = 1
	codecPack  codec = 2   // zstd, with another object as dictionary
	codecSpool codec = 255 // a run in flight, whose sizes are not known yet
)

func (c codec) String() string {
	switch c {
	case codecNone:
		return "none"
	case codecZstd:
		return "zstd"
	case codecPack:
		return "packed"
	case codecSpool:
		return "spool"
	}
	return fmt.Sprintf("unknown codec %d", byte(c))
}

// magic is the first 14 bytes of every header: a skippable zstd frame whose content
// begins with "cairn" and the version.
var magic = []byte{0x5c, 0x2a, 0x4d, 0x18, headerSize - 8, 0, 0, 0, 'c', 'a', 'i', 'r', 'n', version}

// header is the fixed part of an object file; doc.go has the layout.
type header struct {
	codec  codec
	size   int64 // of the object
	stored int64 // of the data
	lines  int64
	crc    uint32 // of the data
}

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = append(b, byte(h.codec), 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.size))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.stored))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.lines))
	b = binary.LittleEndian.AppendUint32(b, h.crc)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// decodeHeader reads a header, and refuses any that encode cannot have written for an
// object or a spool.
func decodeHeader(b []byte) (header, error) {
	switch {
	case len(b) < headerSize:
		return header{}, fmt.Errorf("header cut off after %d of %d bytes", len(b), headerSize)
	case checksum(b[:44]) != binary.LittleEndian.Uint32(b[44:]):
		return header{}, errors.New("checksum of the header does not match")
	case !bytes.Equal(b[:13], magic[:13]):
		return header{}, errors.New("not an object file")
	case b[13] != version:
		return header{}, fmt.Errorf("format version %d, this program reads %d", b[13], version)
	case b[15] != 0:
		return header{}, errors.New("reserved byte is set")
	}
	size, stored, lines := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:]), binary.LittleEndian.Uint64(b[32:])
	if size > math.MaxInt64 || stored > math.MaxInt64-headerSize || lines > size {
		return header{}, errors.New("impossible sizes in the header")
	}
	h := header{codec(b[14]), int64(size), int64(stored), int64(lines), binary.LittleEndian.Uint32(b[40:])}
	switch {
	case h.codec == codecNone && h.size == h.stored:
	case h.codec == codecZstd && h.size > 0:
	case h.codec == codecPack && h.size > 0 && h.size <= maxPacked && h.stored > idSize:
	case h == header{codec: codecSpool}:
	default:
		return header{}, fmt.Errorf("impossible header: codec %v, size %d, stored %d", h.codec, h.size, h.stored)
	}
	return h, nil
}

// readHeader reads the header of an object file of the given length and checks that
// length against it. The error is a *damage if the bytes are wrong, another if they
// could not be read.
func readHeader(f io.ReaderAt, fileSize int64) (header, error) {
	var b [headerSize]byte
	n, err := f.ReadAt(b[:min(headerSize, max(0, fileSize))], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return header{}, err
	}
	h, err := decodeHeader(b[:n])
	switch {
	case err != nil:
		return header{}, &damage{err.Error()}
	case h.codec == codecSpool:
		return header{}, &damage{"a spool lies where an object should be"}
	case h.stored != fileSize-headerSize:
		return header{}, &damage{fmt.Sprintf("file holds %d bytes of data, the header says %d", fileSize-headerSize, h.stored)}
	}
	return h, nil
}

// damage is the error for wrong bytes in a file, as opposed to a failure to read them.
type damage struct{ why string }

func (d *damage) Error() string { return d.why }

// castagnoli is filled at its first use; with hardware support it is never read.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

func addChecksum(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }

// BlockSize is how many bytes of an object one zstd frame holds. With 1 MiB a log
// compresses as well as with an endless window to within a few percent, and a reader or
// writer needs two or three blocks of memory whatever the object's size.
const BlockSize = 1 << 20

// maxFrame bounds a compressed frame in bytes: zstd falls back to raw blocks of 128 KiB
// with 3 bytes of header each, so a frame is never much longer than its content.
const maxFrame = BlockSize + 4096

// Encoders and decoders are costly to make (0.3–0.8 ms of table allocation) and a short
// command may need none, so they are made on demand and kept.
var (
	encoders = sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(BlockSize), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic("objects: zstd encoder: " + err.Error()) // impossible: the options are constants
		}
		return e
	}}
	decoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(BlockSize))
		if err != nil {
			panic("objects: zstd decoder: " + err.Error())
		}
		return d
	}}
)

// compress appends the zstd frame of one block to dst.
func compress(block, dst []byte) []byte {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(block, dst)
}

// decompress appends the content of one frame to dst.
func decompress(frame, dst []byte) ([]byte, error) {
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	return d.DecodeAll(frame, dst)
}

// gains reports whether compression of n bytes to stored bytes saves enough to be worth decoding.
func gains(n, stored int64) bool { return stored < n-n/8 }

// digest computes an object's hash, size and counts from its bytes, in order.
type digest struct {
	hash        hash.Hash
	size, lines int64
	crc         uint32 // of the plain bytes: the data checksum under codec none
	last        byte
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

func (d *digest) add(p []byte) {
	if len(p) == 0 {
		return
	}
	d.hash.Write(p)
	d.crc = addChecksum(d.crc, p)
	d.size += int64(len(p))
	d.lines += int64(bytes.Count(p, []byte{'\n'}))
	d.last = p[len(p)-1]
}

func (d *digest) id() (id ID) {
	d.hash.Sum(id[:0])
	return id
}

func (d *digest) lineCount() int64 {
	if d.size > 0 && d.last != '\n' {
		return d.lines + 1
	}
	return d.lines
}

// plain is the header of the object if it is stored uncompressed.
func (d *digest) plain() header { return header{codecNone, d.size, d.size, d.lineCount(), d.crc} }

// frameLength finds the length of the zstd frame at off from its header and block
// headers alone, without decoding, and returns the content size it names.
func frameLength(f io.ReaderAt, off, limit int64) (length, content int64, err error) {
	var b [16]byte
	n, err := f.ReadAt(b[:min(int64(len(b)), limit-off)], off)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, err
	}
	head, content, err := frameHeader(b[:n])
	if err != nil {
		return 0, 0, err
	}
	const raw, rle, reserved = 0, 1, 3
	for at := off + head; ; {
		if at+3 > limit || at-off > maxFrame {
			return 0, 0, &damage{"zstd frame has no end"}
		}
		if _, err := f.ReadAt(b[:3], at); err != nil {
			return 0, 0, err
		}
		block := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		last, kind, size := block&1 == 1, block>>1&3, int64(block>>3)
		switch kind {
		case rle:
			size = 1
		case reserved:
			return 0, 0, &damage{"reserved zstd block type"}
		}
		at += 3 + size
		if at > limit || at-off > maxFrame {
			return 0, 0, &damage{"zstd frame reaches past its end"}
		}
		if last {
			return at - off, content, nil
		}
	}
}

// frameMagic is the first four bytes of a zstd frame.
const frameMagic = 0xfd2fb528

// frameHeader reads a frame header of the one kind that the format allows: single
// segment, content size given, no dictionary, no checksum.
func frameHeader(b []byte) (length, content int64, err error) {
	const singleSegment, other = 0x20, 0x1f
	if len(b) < 6 || binary.LittleEndian.Uint32(b) != frameMagic {
		return 0, 0, &damage{"no zstd frame where one should begin"}
	}
	desc := b[4]
	if desc&singleSegment == 0 || desc&other != 0 {
		return 0, 0, &damage{fmt.Sprintf("zstd frame descriptor %#02x is not allowed", desc)}
	}
	width := 1 << (desc >> 6)
	if len(b) < 5+width {
		return 0, 0, &damage{"zstd frame header cut off"}
	}
	var field [8]byte
	copy(field[:], b[5:5+width])
	size := binary.LittleEndian.Uint64(field[:])
	if width == 2 {
		size += 256
	}
	if size == 0 || size > BlockSize {
		return 0, 0, &damage{fmt.Sprintf("zstd frame of %d bytes; 1 to %d are allowed", size, BlockSize)}
	}
	return int64(5 + width), int64(size), nil
}
