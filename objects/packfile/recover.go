package packfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
)

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
