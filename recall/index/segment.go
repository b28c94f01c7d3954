package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"sync"
	"time"
	"unsafe"
)

// Segment is the rows of some shards, ordered by time. A column holds a text as a
// number that Text resolves, so that a condition is checked once for each distinct
// text, not for each row.
type Segment struct {
	from    io.ReaderAt
	close   func() error
	name    string // of its file; "" in memory
	at      [sections]struct{ off, size, crc uint64 }
	body    [sections][]byte
	file    *os.File // nil in memory
	memory  []byte   // the whole segment, if it is not in a file yet
	mapped  []byte   // the whole file, if it could be mapped
	folders []folder
	dead    []bool // by shard: it changed or was removed since
}

// errDamaged means that the segment is left out and its shards are read again.
var errDamaged = errors.New("damaged, or of another version")

// openFile opens the segment in a file, and closes the file if it holds no segment. A segment
// never changes and is only ever removed, so it can be mapped: a question about all of them
// reads some sixty megabytes, which should not be copied. The head is read instead, since a
// system may load megabytes around the first byte of a map that is touched.
func openFile(f *os.File, name string) (*Segment, error) {
	mapped, unmap, err := mapFile(f)
	if err != nil {
		mapped, unmap = nil, func() error { return nil }
	}
	s := &Segment{from: f, name: name, file: f, mapped: mapped, close: func() error { return errors.Join(unmap(), f.Close()) }}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// openMemory opens a segment that is in memory.
func openMemory(all []byte) (*Segment, error) {
	s := &Segment{from: bytes.NewReader(all), memory: all, close: func() error { return nil }}
	return s, s.open()
}

// open reads the head of a segment and the folders of its shards.
func (s *Segment) open() error {
	head := make([]byte, headSize)
	if _, err := s.from.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic {
		return errDamaged
	}
	list := head[len(magic) : headSize-4]
	if crc32.Checksum(list, castagnoli) != binary.LittleEndian.Uint32(head[headSize-4:]) {
		return errDamaged
	}
	for i := range s.at {
		e := list[i*entry:]
		s.at[i].off, s.at[i].size = binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
		s.at[i].crc = uint64(binary.LittleEndian.Uint32(e[16:]))
	}
	return s.readFolders()
}

// section returns a section of the segment, which is read and checked the first time.
func (s *Segment) section(i int) ([]byte, error) {
	if s.body[i] != nil || s.at[i].size == 0 {
		return s.body[i], nil
	}
	b, err := s.cut(s.at[i].off, s.at[i].size)
	if err != nil {
		return nil, err
	}
	if uint64(s.checksum(i, b)) != s.at[i].crc {
		return nil, errDamaged
	}
	s.body[i] = b
	return b, nil
}

// checkBuffers are reused for reading sections that are only checked. A question checks
// hundreds of sections, and new memory for each would take longer than the check.
var checkBuffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// checksum is the checksum of a section. It is read through a small buffer, so that of
// a mapped file only the bytes that a question reads take up memory.
func (s *Segment) checksum(i int, b []byte) (sum uint32) {
	if s.mapped == nil || s.file == nil {
		return crc32.Checksum(b, castagnoli)
	}
	lent := checkBuffers.Get().(*[64 << 10]byte)
	defer checkBuffers.Put(lent)
	buf := lent[:]
	for done := 0; done < len(b); {
		n, err := s.file.ReadAt(buf[:min(len(buf), len(b)-done)], int64(s.at[i].off)+int64(done))
		if n == 0 && err != nil {
			return ^uint32(s.at[i].crc) // the read failed, which counts as damage: a wrong checksum
		}
		sum = crc32.Update(sum, castagnoli, buf[:n])
		done += n
	}
	return sum
}

// Rest releases the memory that reading the mapped segment has taken up. Bytes that are
// needed again are read from the file.
func (s *Segment) Rest() {
	if s.mapped != nil {
		releaseMap(s.mapped)
	}
}

// cut returns size bytes of the file from offset off.
func (s *Segment) cut(off, size uint64) ([]byte, error) {
	whole := s.mapped
	if whole == nil {
		whole = s.memory
	}
	if whole != nil {
		if all := uint64(len(whole)); off > all || size > all-off {
			return nil, errDamaged
		}
		return whole[off : off+size : off+size], nil
	}
	b := make([]byte, size)
	if _, err := s.from.ReadAt(b, int64(off)); err != nil {
		return nil, errDamaged
	}
	return b, nil
}

// load loads the given sections, or all if none is given.
func (s *Segment) load(which ...int) error {
	if len(which) == 0 {
		for i := range sections {
			which = append(which, i)
		}
	}
	for _, i := range which {
		if _, err := s.section(i); err != nil {
			return err
		}
	}
	return nil
}

// Len is the number of rows, those of changed or removed shards included.
func (s *Segment) Len() int { return int(s.at[colTime].size / 8) }

func (s *Segment) u32(col, i int) uint32 { return binary.LittleEndian.Uint32(s.body[col][4*i:]) }
func (s *Segment) u64(col, i int) uint64 { return binary.LittleEndian.Uint64(s.body[col][8*i:]) }

// The values of row i. A uint32 is the number of a text: see Text.
func (s *Segment) Time(i int) time.Time { return time.UnixMicro(int64(s.u64(colTime, i))).UTC() }
func (s *Segment) Key(i int) uint32     { return s.u32(colKey, i) }
func (s *Segment) Command(i int) uint32 { return s.u32(colCommand, i) }
func (s *Segment) What(i int) uint32    { return s.u32(colWhat, i) }
func (s *Segment) Where(i int) uint32   { return s.u32(colWhere, i) }
func (s *Segment) Who(i int) uint32     { return s.u32(colWho, i) }
func (s *Segment) Duration(i int) int64 { return int64(s.u64(colDuration, i)) }
func (s *Segment) Raw(i int) int64      { return int64(s.u64(colRaw, i)) }
func (s *Segment) Shown(i int) int64    { return int64(s.u64(colShown, i)) }
func (s *Segment) Flags(i int) uint16   { return binary.LittleEndian.Uint16(s.body[colFlags][2*i:]) }

// Texts is the number of distinct texts, Findings of distinct findings.
func (s *Segment) Texts() int    { return int(s.at[secTexts].size / 4) }
func (s *Segment) Findings() int { return int(s.at[secFindings].size / 4) }

// Text is the text with number n.
func (s *Segment) Text(n uint32) string { return s.text(secTexts, n) }

// Finding is the text of the finding with number n.
func (s *Segment) Finding(n uint32) string { return s.text(secFindings, n) }

// TextBytes is the text with number n. It must not be changed, and is valid until the
// index is closed.
func (s *Segment) TextBytes(n uint32) []byte { return s.bytes(secTexts, n) }

func (s *Segment) text(ends int, n uint32) string { return string(s.bytes(ends, n)) }

// view is a text without a copy. It must not be kept.
func (s *Segment) view(ends int, n uint32) string {
	b := s.bytes(ends, n)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func (s *Segment) bytes(ends int, n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = s.u32(ends, int(n)-1)
	}
	return s.body[ends+1][from:s.u32(ends, int(n))]
}

// Has are the numbers of a row's findings.
func (s *Segment) Has(i int) []uint32 {
	from, to := s.u32(secHasFrom, i), s.u32(secHasFrom, i+1)
	has := make([]uint32, 0, to-from)
	for at := from; at < to; at++ {
		has = append(has, s.u32(secHas, int(at)))
	}
	return has
}

// EachHas yields the numbers that Has returns, one after the other.
func (s *Segment) EachHas(i int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for at, to := s.u32(secHasFrom, i), s.u32(secHasFrom, i+1); at < to && yield(s.u32(secHas, int(at))); at++ {
		}
	}
}

// HasAny says whether a row has a finding of a set; set is indexed by the finding's number.
func (s *Segment) HasAny(i int, set []bool) bool {
	from, to := s.u32(secHasFrom, i), s.u32(secHasFrom, i+1)
	for at := from; at < to; at++ {
		if set[s.u32(secHas, int(at))] {
			return true
		}
	}
	return false
}

// row is row i in the form that a builder takes.
func (s *Segment) row(i int) storedRow {
	p := storedRow{
		time: int64(s.u64(colTime, i)), id: s.u64(colID, i), line: s.u32(colLine, i), at: s.u32(colAt, i), size: s.u32(colSize, i),
		Row: Row{
			Key: s.Text(s.Key(i)), Command: s.Text(s.Command(i)), What: s.Text(s.What(i)), Where: s.Text(s.Where(i)), Who: s.Text(s.Who(i)),
			Duration: s.Duration(i), Raw: s.Raw(i), Shown: s.Shown(i), Flags: s.Flags(i),
		},
	}
	for _, n := range s.Has(i) {
		p.Findings = append(p.Findings, s.Finding(n))
	}
	return p
}
