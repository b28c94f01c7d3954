package scan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"cairn/parsers/text/glance"
)

// Sight describes SightSize bytes of text: see package glance.
type Sight = glance.Sight

const (
	SightSize = glance.Size
	seedSize  = glance.SeedSize
	// SeedLeast is the least length of a word that is searched for, in bytes; shorter words occur everywhere.
	SeedLeast = 3
)

// Search looks for many words at once: glance finds where a word may begin, sift removes most of the places where
// none does, and Check compares the rest in full.
type Search struct {
	tables glance.Tables
	slots  [slotCount]uint16 // indexed by the hash of a seed's first three bytes: an index into probes and seeds
	probes []probe           // probes[0] lets nothing through
	seeds  [][]seed
}

// seed is a word to search for, and which four bytes of it glance knows.
type seed struct {
	word  string
	at    int    // offset in word of these four bytes
	later uint64 // LaterBit of a word that a caller asked for; 0: an alarm word
}

// NewSearch returns a search for AlarmWords and for those of laters that have at least SeedLeast bytes. Found
// reports the laters by LaterBit.
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
	// Short words come first: they have the fewest places for their four bytes.
	slices.SortStableFunc(words, func(a, b seed) int { return len(a.word) - len(b.word) })
	g := &Search{probes: []probe{{value: 1}}, seeds: make([][]seed, 1)}
	p := new(plan)
	for _, s := range words {
		g.learn(s, p)
	}
	g.tables.Prepare()
	return g
}

// LaterBit is the bit in Found.Later for the word with index i in NewSearch's laters. With more than 64 words, some
// share a bit.
func LaterBit(i int) uint64 { return 1 << (i % 64) }

// alarmSearch returns the search for the alarm words alone.
var alarmSearch = sync.OnceValue(func() *Search { return NewSearch(nil) })

// learn adds a word, by those of its bytes that cause the fewest false hits. Alarm words match in any case.
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

// Look fills seen for text[from:], as far as there is text and room in seen. It returns the part of seen that it
// filled.
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

// Found is what a search found in one line: Alarm is the offset of the first alarm word that the text around it
// does not deny, -1 without one; Later has the LaterBit of each other word.
type Found struct {
	Alarm int
	Later uint64
}

// Nothing is Found at the start of a line.
var Nothing = Found{Alarm: -1}

// Check compares the words that may stand at text[i], in the line that begins at text[line], and adds those that
// do.
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

// Alarm returns the offset of the first alarm word in a line that the text around it does not deny; -1 without one.
func (g *Search) Alarm(line []byte) int {
	var sights [16]Sight
	found := Nothing
	for from := 0; from < len(line); from += len(sights) * SightSize {
		for i, v := range g.Look(line, from, sights[:]) {
			for v.Hit != 0 {
				at := from + i*SightSize + Next(&v.Hit)
				if found.Alarm >= 0 && at > found.Alarm+LongestAlarm {
					return found.Alarm // a later hit cannot find an earlier word: hits further on begin behind it
				}
				found.Check(g, line, 0, at)
			}
		}
	}
	return found.Alarm
}

// Laters returns the bits (LaterBit) of the words in text that NewSearch was asked for.
func (g *Search) Laters(text []byte) uint64 {
	var sights [16]Sight
	found := Found{} // Alarm 0: alarm words are not looked for
	for from := 0; from < len(text); from += len(sights) * SightSize {
		for i, v := range g.Look(text, from, sights[:]) {
			for v.Hit != 0 {
				found.Check(g, text, 0, from+i*SightSize+Next(&v.Hit))
			}
		}
	}
	return found.Later
}

// fourAt returns text[i:i+4] as a little-endian number; bytes behind the end are zero.
func fourAt(text []byte, i int) (v uint32) {
	if len(text)-i >= seedSize {
		return binary.LittleEndian.Uint32(text[i:])
	}
	for k, b := range text[i:] {
		v |= uint32(b) << (8 * k)
	}
	return v
}

// stands compares the whole word with the text; text[i] is where the word's four known bytes begin.
func (s *seed) stands(text []byte, i int) bool {
	start := i - s.at
	if start < 0 || len(text)-start < len(s.word) {
		return false
	}
	if s.later != 0 {
		return string(text[start:start+len(s.word)]) == s.word
	}
	for k, c := range text[start : start+len(s.word)] {
		if w := s.word[k]; c != w && (c|0x20 != w || w < 'a' || w > 'z') { // alarm words are written in small letters
			return false
		}
	}
	return true
}

// Next removes the lowest bit of set and returns its index.
func Next(set *uint64) int {
	i := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return i
}
