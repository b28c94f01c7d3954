package gitrepo

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/flate"
)

// storedMost is the longest object that is not compressed, in bytes: with what
// zlib adds it fits in a block of the disk, which a file takes at least.
const storedMost = 4096 - 2 - 5 - 4

// looseEncoder makes the content of loose object files: "<kind> <size>\x00" and
// the data in one zlib stream. go-git's encoder takes the default effort for
// all; the trees and commits of a fold need none, and its file of lines the
// least, since the next gc does it better anyway. The tests read what is written
// with go-git and with git.
type looseEncoder struct {
	buf bytes.Buffer
}

// encode returns the content of a file, valid until the next call.
func (e *looseEncoder) encode(kind plumbing.ObjectType, data []byte) ([]byte, error) {
	e.buf.Reset()
	header := append(strconv.AppendInt(append(kind.Bytes(), ' '), int64(len(data)), 10), 0)
	if len(header)+len(data) <= storedMost {
		e.store(header, data)
		return e.buf.Bytes(), nil
	}
	err := e.compress(header, data)
	return e.buf.Bytes(), err
}

// store makes a zlib stream (RFC 1950) of one block that is not compressed (RFC
// 1951, 3.2.4).
func (e *looseEncoder) store(header, data []byte) {
	size := uint16(len(header) + len(data))
	stream := []byte{0x78, 0x01, 0x01}
	stream = binary.LittleEndian.AppendUint16(stream, size)
	stream = binary.LittleEndian.AppendUint16(stream, ^size)
	e.buf.Write(stream)
	e.buf.Write(header)
	e.buf.Write(data)
	sum := adler32.Checksum(e.buf.Bytes()[len(stream):])
	e.buf.Write(binary.BigEndian.AppendUint32(nil, sum))
}

// compress makes a zlib stream with the matcher that keeps no state: a fold
// writes one such object, and the usual one takes a megabyte to begin.
func (e *looseEncoder) compress(header, data []byte) error {
	whole := append(header, data...)
	e.buf.Write([]byte{0x78, 0x01})
	if err := flate.StatelessDeflate(&e.buf, whole, true, nil); err != nil {
		return err
	}
	e.buf.Write(binary.BigEndian.AppendUint32(nil, adler32.Checksum(whole)))
	return nil
}
