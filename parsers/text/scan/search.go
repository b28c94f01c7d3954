package scan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"cairn/parsers/text/glance"
)

// Sight is what is known of SightSize bytes of text: see package glance.
type Sight = glance.Sight

const (
	SightSize = glance.Size
	seedSize  = glance.SeedSize
	// SeedLeast is how many bytes a word must have: shorter ones are everywhere.
	SeedLeast = 3
)

// Search looks for many words at once: a glance finds where one may begin, sift takes
// out most places where none does, and Check compares the rest.
type Search struct {
	tables glance.Tables
	slots  [slotCount]uint16 // by the hash of a seed's first three bytes: an index of the next two
	probes []probe           // the first of them lets nothing through
	seeds  [][]seed
}

// seed is a word that is looked for.
type seed struct {
	word  string
	at    int    // where in word the four bytes begin
	later uint64 // says which word it is that follows later; 0: an alarm
}

// NewSearch looks for the words of alarm, and for those of laters that have at
// least SeedLeast bytes; see LaterBit.
func NewSearch(laters []string) *Search {
	var words []seed
	for _, w := range AlarmWords {
		words = append(words, seed{word: w})
	}
	for i, w := range laters {
		if len(w) >= SeedLeast {
			words = append(words, seed{word: w, later: LaterBit(i)})
		}
	}
	// Short words come first: they have the least choice.
	slices.SortStableFunc(words, func(a, b seed) int { return len(a.word) - len(b.word) })
	g := &Search{probes: []probe{{value: 1}}, seeds: make([][]seed, 1)}
	p := new(plan)
	for _, s := range words {
		g.learn(s, p)
	}
	g.tables.Prepare()
	return g
}

// LaterBit stands for the word of this index; more than 64 share bits.
func LaterBit(i int) uint64 { return 1 << (i % 64) }

// alarmSearch looks for the words of alarm.
var alarmSearch = sync.OnceValue(func() *Search { return NewSearch(nil) })

// learn puts a word where it makes the fewest other bytes look like words. Words of
// alarm are meant in any case.
func (g *Search) learn(s seed, p *plan) {
	anyCase := s.later == 0
	at, group := p.put(s.word, anyCase)
	s.at = at
	four := s.word[at:min(len(s.word), at+seedSize)]
	g.tables.Add(four, group, anyCase)
	slot := &g.slots[hashOf(four)]
	if *slot == 0 {
		*slot = uint16(len(g.seeds))
		g.seeds, g.probes = append(g.seeds, nil), append(g.probes, probe{})
	}
	g.seeds[*slot] = append(g.seeds[*slot], s)
	g.probes[*slot] = probeOf(g.seeds[*slot])
}

// Look searches text from an offset on, as far as seen has room.
func (g *Search) Look(text []byte, from int, seen []Sight) []Sight {
	seen = seen[:min(len(seen), (len(text)-from+SightSize-1)/SightSize)]
	whole := min(len(seen), max(0, len(text)-from-(seedSize-1))/SightSize)
	g.tables.Look(text[from:], seen[:whole])
	for i := whole; i < len(seen); i++ {
		var last [SightSize + seedSize - 1]byte
		n := copy(last[:], text[from+i*SightSize:])
		g.tables.Look(last[:], seen[i:i+1])
		if n < SightSize {
			seen[i].Odd &= 1<<n - 1
			seen[i].Hit &= 1<<n - 1
		}
	}
	for i := range seen {
		if at := from + i*SightSize - probeBack; at >= 0 && len(text)-at >= sifted {
			seen[i].Hit = g.sift((*[sifted]byte)(text[at:]), seen[i].Hit)
		}
	}
	return seen
}

// Found is what is known of a line: where the first word of alarm begins that nothing
// around it in the line denies, -1 without one, and the words that follow later.
type Found struct {
	Alarm int
	Later uint64
}

// Nothing is known of a line at its beginning.
var Nothing = Found{Alarm: -1}

// Check adds what is at a hit in a line that begins at an offset.
func (f *Found) Check(g *Search, text []byte, line, i int) {
	seeds := g.seeds[g.slots[hash(fourAt(text, i))]]
	for k := range seeds {
		s := &seeds[k]
		if s.later != 0 {
			if s.later&^f.Later != 0 && s.stands(text[line:], i-line) {
				f.Later |= s.later
			}
		} else if start := i - s.at; (f.Alarm < 0 || start < f.Alarm) && s.stands(text[line:], i-line) &&
			!denied(s.word, text[line:start], text[start+len(s.word):]) {
			f.Alarm = start
		}
	}
}

// Alarm gives where the first word of alarm stands in a line that nothing denies; -1
// without one.
func (g *Search) Alarm(line []byte) int {
	var sights [16]Sight
	found := Nothing
	for from := 0; from < len(line); from += len(sights) * SightSize {
		for i, v := range g.Look(line, from, sights[:]) {
			for v.Hit != 0 {
				at := from + i*SightSize + Next(&v.Hit)
				if found.Alarm >= 0 && at > found.Alarm+LongestAlarm {
					return found.Alarm // what is known by a later hit begins behind it
				}
				found.Check(g, line, 0, at)
			}
		}
	}
	return found.Alarm
}

// Laters gives the words that follow later of those it sees in a text.
func (g *Search) Laters(text []byte) uint64 {
	var sights [16]Sight
	found := Found{} // of alarm nothing is asked
	for from := 0; from < len(text); from += len(sights) * SightSize {
		for i, v := range g.Look(text, from, sights[:]) {
			for v.Hit != 0 {
				found.Check(g, text, 0, from+i*SightSize+Next(&v.Hit))
			}
		}
	}
	return found.Later
}

// fourAt is the four bytes from i on, with zeros for what is missing.
func fourAt(text []byte, i int) (v uint32) {
	if len(text)-i >= seedSize {
		return binary.LittleEndian.Uint32(text[i:])
	}
	for k, b := range text[i:] {
		v |= uint32(b) << (8 * k)
	}
	return v
}

// stands compares the whole word.
func (s *seed) stands(text []byte, i int) bool {
	start := i - s.at
	if start < 0 || len(text)-start < len(s.word) {
		return false
	}
	if s.later != 0 {
		return string(text[start:start+len(s.word)]) == s.word
	}
	for k, c := range text[start : start+len(s.word)] {
		if w := s.word[k]; c != w && (c|0x20 != w || w < 'a' || w > 'z') { // words of alarm are in small letters
			return false
		}
	}
	return true
}

// Next takes the first bit of a set.
func Next(set *uint64) int {
	i := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return i
}
