package recall

import (
	"bytes"
	"encoding/hex"
	"strings"
	"sync"

	"cairn/internal/place"
	"cairn/objects"
)

// lineGrep tells by the bytes of a record's line whether the text that is looked for can be
// in it, or in an object that it names. A line is decoded only then: of a million records
// most have neither.
type lineGrep struct {
	word   []byte // a part of the text that stands in a line as it is; nil without one
	here   map[objects.ID]bool
	counts bool // lines whose output is elsewhere are counted, and not looked at

	mu        sync.Mutex
	elsewhere hashTable // runs whose output is not in this clone
}

// newLineGrep lists the objects of this clone.
func newLineGrep(s *place.Site, q *query) (*lineGrep, error) {
	g := &lineGrep{word: []byte(plainPart(q.Grep)), here: map[objects.ID]bool{}}
	g.counts = len(q.needs()) == 0 && q.Since.IsZero() && q.Until.IsZero() // else only those that q selects count
	for id, err := range s.Objects.Readable() {
		if err != nil {
			return nil, err
		}
		g.here[id] = true
	}
	return g, nil
}

// plainPart is the longest part of a text that a line has as it is: without what JSON may
// write in another way, and without the signs between the parts of a place.
func plainPart(text string) (best string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f || strings.ContainsRune("\"\\<>&:-", r) })
	for _, p := range parts {
		if len(p) > len(best) {
			best = p
		}
	}
	return best
}

var objectPrefixBytes = []byte(objectPrefix)

// wants says whether a line has to be looked at.
func (g *lineGrep) wants(line []byte) bool {
	if len(g.word) == 0 || bytes.Contains(line, g.word) {
		return true
	}
	away := false
	for at := 0; ; {
		i := bytes.Index(line[at:], objectPrefixBytes)
		if i < 0 {
			break
		}
		at += i + len(objectPrefix)
		var id objects.ID
		if at+2*len(id) > len(line) {
			break
		}
		if _, err := hex.Decode(id[:], line[at:at+2*len(id)]); err != nil {
			continue
		}
		if g.here[id] {
			return true
		}
		away = true
	}
	if !away {
		return false
	}
	if !g.counts {
		return true
	}
	g.count(line)
	return false
}

// count counts the run of a line, which may stand in several shards.
func (g *lineGrep) count(line []byte) {
	_, id, _ := bytes.Cut(line[:min(len(line), 80)], []byte(`"id":"`))
	id, _, _ = bytes.Cut(id, []byte(`"`))
	hash := hashed(id)
	g.mu.Lock()
	g.elsewhere.put(hash, 0)
	g.mu.Unlock()
}
