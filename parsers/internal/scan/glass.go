package scan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read/lex"
)

// sight is what a glance at 64 bytes shows, a bit for each byte: where lines
// end, which bytes are odd (see odd; tabs are not), and where a word may begin
// that a line is to be looked at for. There may be none; there is never one
// that shows no bit.
type Sight struct{ Newline, Odd, Hit uint64 }

const (
	SightSize = 64
	// seedSize is how many bytes of a word a glance looks at. With four, one place
	// in fifty of ordinary text is taken for a word; with three, one in ten.
	seedSize = 4
	// seedLeast is how many a word must have: shorter ones are everywhere.
	SeedLeast = 3
)

// glass looks for many words at once. They are in eight groups; a byte at one
// of four places says, by each of its halves, which groups have a word with
// such a byte at that place. What all eight answers agree on may be a word.
// (Known as Teddy, after the matcher of that name in Hyperscan.)
type Search struct {
	groups  glassTables
	volumes [8]int               // of the groups
	threes  [1 << 13 / 64]uint64 // hashes of the first three, whatever their case
	seeds   [256][]seed          // by the first byte of their four
}

// glassTables are indexed by place and by the low or high half of a byte.
type glassTables struct{ low, high [seedSize][16]byte }

// seed is a word that is looked for.
type seed struct {
	word             string
	at               int    // where in word the four bytes begin
	value, fold, use uint32 // the four bytes, the bits to set and to look at
	later            uint64 // says which word it is that follows later; 0: an alarm
}

// newGlass sees words of alarm, and those words that follow later which have
// seedLeast bytes; see laterBit.
func NewSearch(laters []string) *Search {
	g := *alarmGlass()
	for c := range g.seeds {
		g.seeds[c] = slices.Clip(g.seeds[c])
	}
	for i, word := range laters {
		if len(word) < SeedLeast {
			continue
		}
		at := 0
		for at < len(word)-seedSize && word[at] == ' ' {
			at++
		}
		g.learn(seed{word: word, at: at, later: LaterBit(i)}, false)
	}
	return &g
}

// laterBit stands for the word of this index; more than 64 share bits.
func LaterBit(i int) uint64 { return 1 << (i % 64) }

// alarmGlass sees the words of alarm.
var alarmGlass = sync.OnceValue(func() *Search {
	g := new(Search)
	for _, w := range AlarmWords {
		g.learn(seed{word: w.Word, at: min(strings.Index(w.Word, w.rare), len(w.Word)-seedSize)}, true)
	}
	return g
})

// learn puts a word where it makes the fewest other bytes look like words.
func (g *Search) learn(s seed, anyCase bool) {
	four := s.word[s.at:min(len(s.word), s.at+seedSize)]
	for k := range four {
		c := uint32(four[k])
		s.use |= 0xff << (8 * k)
		if anyCase {
			s.fold |= 0x20 << (8 * k)
			c |= 0x20
		}
		s.value |= c << (8 * k)
	}
	group, least, volume := 0, 0, 0
	for i := range g.volumes {
		t := g.groups
		t.add(four, 1<<i, anyCase)
		v := t.volume(i)
		if grown := v - g.volumes[i]; i == 0 || grown < least {
			group, least, volume = i, grown, v
		}
	}
	g.groups.add(four, 1<<group, anyCase)
	g.volumes[group] = volume
	three := hashThree(s.value)
	g.threes[three/64] |= 1 << (three % 64)
	g.plant(four[0], s)
	if other := four[0] ^ 0x20; anyCase && lex.Letter(other) != 0 {
		g.plant(other, s)
	}
}

func (g *Search) plant(first byte, s seed) { g.seeds[first] = append(g.seeds[first], s) }

func (t *glassTables) add(four string, group byte, anyCase bool) {
	for k := range seedSize {
		if k >= len(four) { // a short word: anything may follow
			for i := range 16 {
				t.low[k][i] |= group
				t.high[k][i] |= group
			}
			continue
		}
		c := four[k]
		t.low[k][c&15] |= group
		t.high[k][c>>4] |= group
		if anyCase && lex.Letter(c) != 0 {
			t.high[k][c>>4^2] |= group
		}
	}
}

// volume is how many quadruples of bytes pass for a word of the group.
func (t *glassTables) volume(group int) int {
	n := 1
	for k := range seedSize {
		low, high := 0, 0
		for i := range 16 {
			low += int(t.low[k][i] >> group & 1)
			high += int(t.high[k][i] >> group & 1)
		}
		n *= low * high
	}
	return n
}

// look glances at text from an offset on, as far as seen has room.
func (g *Search) Look(text []byte, from int, seen []Sight) []Sight {
	seen = seen[:min(len(seen), (len(text)-from+SightSize-1)/SightSize)]
	whole := min(len(seen), max(0, len(text)-from-(seedSize-1))/SightSize)
	glance(&g.groups, text[from:], seen[:whole])
	for i := whole; i < len(seen); i++ {
		var last [SightSize + seedSize - 1]byte
		n := copy(last[:], text[from+i*SightSize:])
		glance(&g.groups, last[:], seen[i:i+1])
		if n < SightSize {
			seen[i].Odd &= 1<<n - 1
			seen[i].Hit &= 1<<n - 1
		}
	}
	return seen
}

// check says what is at a hit: a word of alarm, whatever stands around it, or
// a word that follows later.
func (g *Search) Check(text []byte, i int) (alarm bool, later uint64) {
	v := fourAt(text, i)
	if three := hashThree(v); g.threes[three/64]>>(three%64)&1 == 0 {
		return false, 0
	}
	for _, s := range g.seeds[text[i]] {
		if (v|s.fold)&s.use == s.value && s.stands(text, i) {
			alarm = alarm || s.later == 0
			later |= s.later
		}
	}
	return alarm, later
}

// laters gives the words that follow later of those it sees in a text.
func (g *Search) Laters(text []byte) (later uint64) {
	var sights [16]Sight
	for from := 0; from < len(text); from += len(sights) * SightSize {
		for i, v := range g.Look(text, from, sights[:]) {
			for v.Hit != 0 {
				_, l := g.Check(text, from+i*SightSize+Next(&v.Hit))
				later |= l
			}
		}
	}
	return later
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

// hashThree spreads the first three of four bytes, whatever their case, over
// 13 bits.
func hashThree(v uint32) uint32 { return (v | 0x20202020) << 8 * 0x9e3779b1 >> 19 }

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

// glancePlain is glance for machines without a faster one. A state's four
// bytes say which groups agree up to each place.
func glancePlain(t *glassTables, text []byte, seen []Sight) {
	var agree [256]uint32
	for b := range agree {
		for k := range seedSize {
			agree[b] |= uint32(t.low[k][b&15]&t.high[k][b>>4]) << (8 * k)
		}
	}
	for n := range seen {
		v := Sight{}
		var state uint32
		for i, b := range text[n*SightSize:][:SightSize+seedSize-1] {
			state = (state<<8 | 0xff) & agree[b]
			if state>>24 != 0 {
				v.Hit |= 1 << (i - (seedSize - 1))
			}
			if i >= SightSize {
				continue
			}
			if b == '\n' {
				v.Newline |= 1 << i
			} else if b < 0x20 && b != '\t' || b >= 0x7f {
				v.Odd |= 1 << i
			}
		}
		seen[n] = v
	}
}

// next takes the first bit of a set.
func Next(set *uint64) int {
	i := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return i
}
