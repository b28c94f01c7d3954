package objects

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
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
	codecSpool codec = 255 // a run in flight: sizes not known yet
)

func (c codec) String() string {
	switch c {
	case codecNone:
		return "none"
	case codecZstd:
		return "zstd"
	case codecSpool:
		return "spool"
	}
	return fmt.Sprintf("unknown codec %d", byte(c))
}

// magic are the first 14 bytes of every header: a skippable zstd frame whose
// content begins with our name and version.
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

// decodeHeader refuses whatever encode could not have written for an object or a
// spool.
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
	case h == header{codec: codecSpool}:
	default:
		return header{}, fmt.Errorf("impossible header: codec %v, size %d, stored %d", h.codec, h.size, h.stored)
	}
	return h, nil
}

// readHeader reads the header of an object file of the given length and checks
// that the length is what the header says. The error is a *damage if the bytes
// are wrong, another if they could not be read.
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

// damage says what is wrong with the bytes of a file, as against a failure to
// read them.
type damage struct{ why string }

func (d *damage) Error() string { return d.why }

// castagnoli is a table the standard library fills on first use; with hardware
// support it is never consulted.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

func addChecksum(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }
