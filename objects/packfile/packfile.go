package packfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	MaxObject  = 64 << 10  // bytes of an object
	MaxGroup   = 512 << 10 // bytes of an unpacked group
	MaxObjects = 1 << 16   // objects in one file

	version    = 1
	maxFrame   = MaxGroup + 4096 // zstd falls back to raw blocks, which add a few bytes each
	frameHead  = 8               // bytes of the magic and the length of a skippable frame
	groupFixed = 28              // bytes of a group's header without the lengths of its objects
	entrySize  = 64
	indexFixed = 36 // bytes of the index without its groups and objects
	offsetSize = 8
)

var (
	skippable = []byte{0x5d, 0x2a, 0x4d, 0x18}
	headName  = []byte("cairnpack\x01\x00\x00\x00\x00\x00\x00")
	groupName = []byte("group\x00\x00\x00")
	indexName = []byte("index\x00\x00\x00")
	endName   = []byte("cairnend")
)

// headSize is the bytes of the frame with which every pack file begins.
var headSize = int64(frameHead + len(headName))

// An ID is the SHA-256 of an object's bytes.
type ID [32]byte

// An Entry describes an object of a pack.
type Entry struct {
	ID    ID
	Size  int64     // bytes, unpacked
	Lines int64     // count of '\n', plus one for an unterminated last line
	Put   time.Time // when these bytes were last put; zero if Recover found the object

	group int
	at    int64 // offset in the unpacked group
}

// A DamageError is the error for wrong bytes in a pack file, as opposed to a failure to
// read them.
type DamageError struct{ Why string }

func (e *DamageError) Error() string { return "damaged pack file: " + e.Why }

func damaged(format string, args ...any) error { return &DamageError{fmt.Sprintf(format, args...)} }

// ErrNotFound says that a pack does not hold an object.
var ErrNotFound = errors.New("not in this pack file")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// skip appends a skippable frame with this content.
func skip(dst, content []byte) []byte {
	dst = append(dst, skippable...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(content)))
	return append(dst, content...)
}

// seal appends the checksum of content to it.
func seal(content []byte) []byte { return binary.LittleEndian.AppendUint32(content, checksum(content)) }

func u32(b []byte) int64 { return int64(binary.LittleEndian.Uint32(b)) }

// countLines counts lines as the header of an object file does.
func countLines(b []byte) int64 {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return int64(n)
}

// The encoder and the decoder are costly to make, so they are made at their first use and kept.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(MaxGroup), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(MaxGroup))
	})
)
