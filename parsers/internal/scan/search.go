package scan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"cairn/parsers/internal/glance"
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
	filled [glance.Sets * glance.SetSize]group // what the tables hold, to find the best place for the next word,
	passes [glance.Sets * glance.SetSize]int   // and how much of ordinary text passes for it: see volume
	slots  [1 << 11]uint16                     // by the hash of a seed's first three bytes: an index of the next two
	probes []probe                             // the first of them lets nothing through
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
	g := *alarmSearch()
	g.probes = slices.Clone(g.probes)
	g.seeds = slices.Clone(g.seeds)
	for i := range g.seeds {
		g.seeds[i] = slices.Clip(g.seeds[i])
	}
	for i, word := range laters {
		if len(word) >= SeedLeast {
			g.learn(seed{word: word, later: LaterBit(i)})
		}
	}
	g.tables.Prepare()
	return &g
}

// LaterBit stands for the word of this index; more than 64 share bits.
func LaterBit(i int) uint64 { return 1 << (i % 64) }

// alarmSearch looks for the words of alarm.
var alarmSearch = sync.OnceValue(func() *Search {
	g := &Search{probes: []probe{{value: 1}}, seeds: make([][]seed, 1)}
	for _, w := range AlarmWords {
		g.learn(seed{word: w})
	}
	g.tables.Prepare()
	return g
})

// learn puts a word where it makes the fewest other bytes look like words: it
// chooses the four bytes of it, and the group. Words of alarm are meant in any case.
func (g *Search) learn(s seed) {
	anyCase := s.later == 0
	s.at = rarest(s.word, anyCase)
	four := s.word[s.at:min(len(s.word), s.at+seedSize)]
	best, least := 0, 0
	for i, group := range g.filled {
		group.add(four, anyCase)
		grown := 0
		if group != g.filled[i] {
			grown = group.volume() - g.passes[i]
		}
		if i == 0 || grown < least {
			best, least = i, grown
		}
	}
	g.filled[best].add(four, anyCase)
	g.passes[best] = g.filled[best].volume()
	g.tables.Add(four, best, anyCase)
	slot := &g.slots[hash(fourAt([]byte(four), 0))]
	if *slot == 0 {
		*slot = uint16(len(g.seeds))
		g.seeds, g.probes = append(g.seeds, nil), append(g.probes, probe{})
	}
	g.seeds[*slot] = append(g.seeds[*slot], s)
	g.probes[*slot] = probeOf(g.seeds[*slot])
}

// rarest is where in a word those four bytes begin that are the least common.
func rarest(word string, anyCase bool) (at int) {
	least := 0
	for i := 0; i == 0 || i+seedSize <= len(word); i++ {
		var four group
		four.add(word[i:min(len(word), i+seedSize)], anyCase)
		if v := four.volume(); i == 0 || v < least {
			at, least = i, v
		}
	}
	return at
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
// around it in the line denies, -1 if there is none, and the words that follow later.
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
		} else if f.Alarm < 0 && s.stands(text[line:], i-line) {
			if start := i - s.at; !denied(s.word, text[line:start], text[start+len(s.word):]) {
				f.Alarm = start
			}
		}
	}
}

// Alarm gives where the first word of alarm stands in a line that nothing denies; -1
// if there is none.
func (g *Search) Alarm(line []byte) int {
	var sights [16]Sight
	found := Nothing
	for from := 0; from < len(line); from += len(sights) * SightSize {
		for i, v := range g.Look(line, from, sights[:]) {
			for v.Hit != 0 {
				if found.Check(g, line, 0, from+i*SightSize+Next(&v.Hit)); found.Alarm >= 0 {
					return found.Alarm
				}
			}
		}
	}
	return -1
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
	for k := range len(s.word) {
		if text[start+k]|0x20 != s.word[k]|0x20 {
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
