package packfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A Pack is an open pack file. It may be used from several goroutines.
type Pack struct {
	r       io.ReaderAt
	size    int64 // of the file without the index
	groups  []int64
	plain   []int64 // unpacked bytes of each group
	entries []Entry // in order of ID
}

// Open reads the index of a pack file of this size. The error is a *DamageError if the
// bytes are wrong: then Recover may still find objects.
func Open(r io.ReaderAt, size int64) (*Pack, error) {
	head := make([]byte, headSize)
	if err := readFull(r, head, 0, size); err != nil {
		return nil, err
	}
	if !bytes.Equal(head, skip(nil, headName)) {
		return nil, damaged("it does not begin as a pack file of version %d does", version)
	}
	const tail = indexFixed - 8
	end := make([]byte, tail)
	if err := readFull(r, end, size-tail, size); err != nil {
		return nil, err
	}
	groups, objects, at := u32(end), u32(end[4:]), int64(binary.LittleEndian.Uint64(end[8:]))
	length := indexFixed + groups*offsetSize + objects*entrySize
	switch {
	case !bytes.Equal(end[tail-8:], endName):
		return nil, damaged("it has no end")
	case groups > objects || objects > MaxObjects || at < headSize || at != size-frameHead-length:
		return nil, damaged("its index has impossible sizes")
	}
	b := make([]byte, frameHead+length)
	if err := readFull(r, b, at, size); err != nil {
		return nil, err
	}
	p := &Pack{r: r, size: at}
	return p, p.parseIndex(b[frameHead:], int(groups), int(objects))
}

func (p *Pack) parseIndex(b []byte, groups, objects int) error {
	sum := len(b) - 12
	if !bytes.Equal(b[:8], indexName) || int64(checksum(b[:sum])) != u32(b[sum:]) {
		return damaged("checksum of the index does not match")
	}
	b = b[8:]
	p.plain, p.groups, p.entries = make([]int64, groups), make([]int64, 0, groups), make([]Entry, 0, objects)
	for range groups {
		p.groups = append(p.groups, int64(binary.LittleEndian.Uint64(b)))
		b = b[offsetSize:]
	}
	for range objects {
		e := Entry{ID: ID(b[:32]), group: int(u32(b[32:])), at: u32(b[36:]), Size: u32(b[40:]), Lines: u32(b[44:])}
		e.Put = time.Unix(0, int64(binary.LittleEndian.Uint64(b[48:])))
		if e.group >= groups || e.Size == 0 || e.Size > MaxObject || e.at+e.Size > MaxGroup {
			return damaged("its index has an impossible object")
		}
		p.entries, p.plain[e.group] = append(p.entries, e), p.plain[e.group]+e.Size
		b = b[entrySize:]
	}
	return nil
}

// Entries describes every object, in order of ID. The caller must not change it.
func (p *Pack) Entries() []Entry { return p.entries }

// Find looks an object up.
func (p *Pack) Find(id ID) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(p.entries, id, func(e Entry, id ID) int { return bytes.Compare(e.ID[:], id[:]) })
	if !ok {
		return Entry{}, false
	}
	return p.entries[i], true
}

// From is the pack with another open file of the same content.
func (p *Pack) From(r io.ReaderAt) *Pack {
	from := *p
	from.r = r
	return &from
}

// Stored is an object's share of the file, in bytes.
func (p *Pack) Stored(e Entry) int64 {
	end := p.size
	if e.group+1 < len(p.groups) {
		end = p.groups[e.group+1]
	}
	return entrySize + (end-p.groups[e.group])*e.Size/max(1, p.plain[e.group])
}

// Read returns an object. The error is ErrNotFound, a *DamageError, or an I/O error.
func (p *Pack) Read(id ID) ([]byte, error) {
	e, ok := p.Find(id)
	if !ok {
		return nil, ErrNotFound
	}
	g, err := readGroup(p.r, p.groups[e.group], p.size)
	if err != nil {
		return nil, err
	}
	return g.object(e)
}

// Check reads the whole pack. bad has an error for every damaged object; err is an I/O
// error.
func (p *Pack) Check() (bad map[ID]error, err error) {
	bad = map[ID]error{}
	return bad, p.Each(func(e Entry, _ []byte, err error) error {
		if err != nil {
			bad[e.ID] = err
		}
		return nil
	})
}

// Each calls visit for every object in the order in which they were added, with its bytes or a
// *DamageError. An error of visit ends it and is returned, as is an I/O error.
func (p *Pack) Each(visit func(e Entry, b []byte, err error) error) error {
	byGroup := make([][]Entry, len(p.groups))
	for _, e := range p.entries {
		byGroup[e.group] = append(byGroup[e.group], e)
	}
	for i, at := range p.groups {
		g, broken := readGroup(p.r, at, p.size)
		var damage *DamageError
		if broken != nil && !errors.As(broken, &damage) {
			return broken
		}
		slices.SortFunc(byGroup[i], func(a, b Entry) int { return cmp.Compare(a.at, b.at) })
		for _, e := range byGroup[i] {
			b, err := []byte(nil), broken
			if err == nil {
				b, err = g.object(e)
			}
			if err := visit(e, b, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// group is one group, unpacked.
type group struct {
	plain   []byte
	lengths []int64
	end     int64 // offset in the file
}

// object returns one object of a group, after checking its digest.
func (g *group) object(e Entry) ([]byte, error) {
	if e.at+e.Size > int64(len(g.plain)) {
		return nil, damaged("an object reaches past the end of its group")
	}
	b := g.plain[e.at : e.at+e.Size : e.at+e.Size]
	if ID(sha256.Sum256(b)) != e.ID {
		return nil, damaged("digest of the bytes is not the object's")
	}
	return b, nil
}

// readGroup reads the group that begins at offset at.
func readGroup(r io.ReaderAt, at, limit int64) (*group, error) {
	fixed := make([]byte, frameHead+groupFixed)
	if err := readFull(r, fixed, at, limit); err != nil {
		return nil, err
	}
	content, stored, size, count := u32(fixed[4:]), u32(fixed[16:]), u32(fixed[20:]), u32(fixed[28:])
	if !bytes.Equal(fixed[:4], skippable) || !bytes.Equal(fixed[8:16], groupName) ||
		stored > maxFrame || size > MaxGroup || count > MaxObjects || content != groupFixed+4*count {
		return nil, damaged("no group where one should begin")
	}
	b := make([]byte, content+stored)
	if err := readFull(r, b, at+frameHead, limit); err != nil {
		return nil, err
	}
	sum, frame := content-4, b[content:]
	if int64(checksum(b[:sum])) != u32(b[sum:]) || int64(checksum(frame)) != u32(b[16:]) {
		return nil, damaged("checksum of a group does not match")
	}
	g := &group{end: at + frameHead + content + stored}
	total := int64(0)
	for i := range count {
		n := u32(b[groupFixed-4+4*i:])
		g.lengths, total = append(g.lengths, n), total+n
	}
	if total != size {
		return nil, damaged("objects of a group do not fill it")
	}
	dec, err := decoder()
	if err != nil {
		return nil, err
	}
	g.plain, err = dec.DecodeAll(frame, make([]byte, 0, size))
	if err != nil || int64(len(g.plain)) != size {
		return nil, damaged("a group of %d bytes unpacks to %d (%v)", size, len(g.plain), err)
	}
	return g, nil
}

// readFull reads len(b) bytes, which must end before limit.
func readFull(r io.ReaderAt, b []byte, at, limit int64) error {
	if at < 0 || at > limit-int64(len(b)) {
		return damaged("it ends early")
	}
	n, err := r.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case errors.Is(err, io.EOF):
		return damaged("it ends early")
	}
	return err
}

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
