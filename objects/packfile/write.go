package packfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// A Writer writes a pack file. Objects that are alike should be added one after the other.
type Writer struct {
	w       io.Writer
	off     int64
	groups  []int64 // where each group begins
	entries []Entry
	seen    map[ID]bool
	plain   []byte // bytes of the current group
	lengths []byte
	err     error // error of an earlier write: the file is useless
}

// NewWriter begins a pack file. The file is valid only after Close has succeeded and
// the caller has made it durable.
func NewWriter(w io.Writer) (*Writer, error) {
	p := &Writer{w: w, seen: map[ID]bool{}}
	return p, p.write(skip(nil, headName))
}

func (w *Writer) write(b []byte) error {
	if w.err == nil {
		n, err := w.w.Write(b)
		w.off, w.err = w.off+int64(n), err
	}
	return w.err
}

// Add adds an object, unless the pack has it already. It fails if the object does not
// have 1 to MaxObject bytes or the pack has MaxObjects already.
func (w *Writer) Add(b []byte, put time.Time) (ID, error) {
	id := ID(sha256.Sum256(b))
	switch {
	case w.err != nil:
		return id, w.err
	case w.seen[id]:
		return id, nil
	case len(b) == 0 || len(b) > MaxObject:
		return id, fmt.Errorf("an object of %d bytes does not go into a pack file", len(b))
	case len(w.entries) == MaxObjects:
		return id, fmt.Errorf("a pack file holds no more than %d objects", MaxObjects)
	}
	if len(w.plain)+len(b) > MaxGroup {
		if err := w.EndGroup(); err != nil {
			return id, err
		}
	}
	w.seen[id] = true
	w.entries = append(w.entries, Entry{id, int64(len(b)), countLines(b), put, len(w.groups), int64(len(w.plain))})
	w.plain = append(w.plain, b...)
	w.lengths = binary.LittleEndian.AppendUint32(w.lengths, uint32(len(b)))
	return id, nil
}

// Pending is how many bytes the current group has.
func (w *Writer) Pending() int { return len(w.plain) }

// EndGroup ends the current group, before objects that differ from it or should be
// readable without it.
func (w *Writer) EndGroup() error {
	if len(w.plain) == 0 || w.err != nil {
		return w.err
	}
	enc, err := encoder()
	if err != nil {
		return err
	}
	frame := enc.EncodeAll(w.plain, nil)
	c := bytes.Clone(groupName)
	for _, n := range []uint32{uint32(len(frame)), uint32(len(w.plain)), checksum(frame), uint32(len(w.lengths) / 4)} {
		c = binary.LittleEndian.AppendUint32(c, n)
	}
	c = seal(append(c, w.lengths...))
	w.groups = append(w.groups, w.off)
	w.plain, w.lengths = w.plain[:0], w.lengths[:0]
	return w.write(append(skip(nil, c), frame...))
}

// Close writes the index. It does not close the file.
func (w *Writer) Close() error {
	if err := w.EndGroup(); err != nil {
		return err
	}
	slices.SortFunc(w.entries, func(a, b Entry) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	c := bytes.Clone(indexName)
	for _, at := range w.groups {
		c = binary.LittleEndian.AppendUint64(c, uint64(at))
	}
	for _, e := range w.entries {
		c = append(c, e.ID[:]...)
		for _, n := range []uint32{uint32(e.group), uint32(e.at), uint32(e.Size), uint32(e.Lines)} {
			c = binary.LittleEndian.AppendUint32(c, n)
		}
		c = binary.LittleEndian.AppendUint64(c, uint64(e.Put.UnixNano()))
		c = append(c, make([]byte, 8)...)
	}
	c = binary.LittleEndian.AppendUint32(c, uint32(len(w.groups)))
	c = binary.LittleEndian.AppendUint32(c, uint32(len(w.entries)))
	c = binary.LittleEndian.AppendUint64(c, uint64(w.off))
	return w.write(skip(nil, append(seal(c), endName...)))
}

// Recover finds the objects of a pack file without its index. lost is how many bytes of
// the file could not be read as groups, those of an index included. The error is an I/O
// error.
func Recover(r io.ReaderAt, size int64) (p *Pack, lost int64, err error) {
	p = &Pack{r: r, size: size}
	for at := int64(0); at < size; {
		begin, err := nextGroup(r, at, size)
		if err != nil {
			return p, lost, err
		}
		lost += begin - at
		if at = begin; at == size {
			break
		}
		g, err := readGroup(r, at, size)
		var damage *DamageError
		switch {
		case errors.As(err, &damage):
			at, lost = at+1, lost+1 // a sound group may follow
		case err != nil:
			return p, lost, err
		default:
			p.take(g, at)
			at = g.end
		}
	}
	slices.SortFunc(p.entries, func(a, b Entry) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	p.entries = slices.CompactFunc(p.entries, func(a, b Entry) bool { return a.ID == b.ID })
	return p, lost, nil
}

// take adds entries for the objects of a group.
func (p *Pack) take(g *group, begin int64) {
	at := int64(0)
	for _, n := range g.lengths {
		b := g.plain[at : at+n]
		p.entries = append(p.entries, Entry{ID: ID(sha256.Sum256(b)), Size: n, Lines: countLines(b), group: len(p.groups), at: at})
		at += n
	}
	p.groups, p.plain = append(p.groups, begin), append(p.plain, at)
}

// nextGroup is the offset at which the next group may begin; size if none exists.
func nextGroup(r io.ReaderAt, at, size int64) (int64, error) {
	const window = 64 << 10
	const overlap = 2*frameHead - 1 // so that a beginning cut by one window is whole in the next
	for ; at < size; at += window - overlap {
		b := make([]byte, min(window, size-at))
		if err := readFull(r, b, at, size); err != nil {
			return at, err
		}
		for from := 0; from < len(b); from++ {
			i := bytes.Index(b[from:], groupName)
			if i < 0 {
				break
			}
			if from += i; from >= frameHead && bytes.HasPrefix(b[from-frameHead:], skippable) {
				return at + int64(from) - frameHead, nil
			}
		}
		if len(b) < window {
			break
		}
	}
	return size, nil
}
