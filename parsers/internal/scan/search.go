package scan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read/lex"
)

// Sight is what is known of 64 bytes of text, a bit for each byte: whether a line
// ends there, whether the byte is odd (see term.Odd; tabs are not), and whether a
// word that is searched for may begin there. Hit may be set where no such word
// begins; it is always set where one does.
type Sight struct{ Newline, Odd, Hit uint64 }

const (
	SightSize = 64
	// seedSize is how many bytes of a word a glance looks at. With four, one place
	// in seven of ordinary text is taken for a word, and one in a hundred is looked at
	// twice.
	seedSize = 4
	// seedLeast is how many a word must have: shorter ones are everywhere.
	SeedLeast = 3
)

// Search looks for many words at once. Each word belongs to one of eight groups.
// For each of four consecutive bytes there are two tables, for its low and its
// high half, that give the groups in which some word has such a byte at that
// place. Where the same group is in all eight answers, one of its words may
// begin. (The method is known as Teddy, after the matcher in Hyperscan.)
type Search struct {
	groups  tables
	agree   [256]uint32          // of a byte: the groups that have it at each of the four places
	volumes [8]int               // of the groups
	fours   [1 << 15 / 64]uint64 // hashes of the four, whatever their case
	seeds   [256][]seed          // by the first byte of their four
}

// tables are indexed by place and by the low or high half of a byte.
type tables struct{ low, high [seedSize][16]byte }

// seed is a word that is looked for.
type seed struct {
	word             string
	at               int    // where in word the four bytes begin
	value, fold, use uint32 // the four bytes, the bits to set and to look at
	later            uint64 // says which word it is that follows later; 0: an alarm
}

// NewSearch looks for the words of alarm, and for those of laters that have at
// least SeedLeast bytes; see LaterBit.
func NewSearch(laters []string) *Search {
	g := *alarmSearch()
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
	g.prepare()
	return &g
}

// prepare makes what glancePlain reads once all words are known.
func (g *Search) prepare() {
	for b := range g.agree {
		g.agree[b] = 0
		for k := range seedSize {
			g.agree[b] |= uint32(g.groups.low[k][b&15]&g.groups.high[k][b>>4]) << (8 * k)
		}
	}
}

// LaterBit stands for the word of this index; more than 64 share bits.
func LaterBit(i int) uint64 { return 1 << (i % 64) }

// alarmSearch looks for the words of alarm.
var alarmSearch = sync.OnceValue(func() *Search {
	g := new(Search)
	for _, w := range AlarmWords {
		g.learn(seed{word: w.Word, at: min(strings.Index(w.Word, w.rare), len(w.Word)-seedSize)}, true)
	}
	g.prepare()
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
	for last := range uint32(256) { // a word of three may be followed by any byte
		h := hash(s.value | last<<24&^s.use)
		g.fours[h/64] |= 1 << (h % 64)
	}
	g.plant(four[0], s)
	if other := four[0] ^ 0x20; anyCase && lex.Letter(other) != 0 {
		g.plant(other, s)
	}
}

func (g *Search) plant(first byte, s seed) { g.seeds[first] = append(g.seeds[first], s) }

func (t *tables) add(four string, group byte, anyCase bool) {
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

// volume is how much of ordinary text passes for a word of the group: of each place,
// the shares of the bytes that may stand there.
func (t *tables) volume(group int) int {
	n := 1
	for k := range seedSize {
		sum := 0
		for c, share := range &shares {
			sum += share * int((t.low[k][c&15]&t.high[k][c>>4])>>group&1)
		}
		n *= sum
	}
	return n
}

// shares say how common each byte is in what programs print, roughly, in parts of
// some thousand.
var shares = func() (of [128]int) {
	for share, bytes := range map[int]string{
		110: " ", 60: "e", 45: "taoinsr", 25: "lcdpmu", 20: "0123456789./-_:=fgh", 12: "bvwkyx,[]()", 6: "qjzACDEINORST",
		3: "\t\"'<>#@%*+;|BFGHJKLMPQUVWXYZ!?&{}$~^`\\",
	} {
		for _, c := range []byte(bytes) {
			of[c] = share
		}
	}
	return of
}()

// Look searches text from an offset on, as far as seen has room.
func (g *Search) Look(text []byte, from int, seen []Sight) []Sight {
	seen = seen[:min(len(seen), (len(text)-from+SightSize-1)/SightSize)]
	whole := min(len(seen), max(0, len(text)-from-(seedSize-1))/SightSize)
	glance(g, text[from:], seen[:whole])
	for i := whole; i < len(seen); i++ {
		var last [SightSize + seedSize - 1]byte
		n := copy(last[:], text[from+i*SightSize:])
		glance(g, last[:], seen[i:i+1])
		if n < SightSize {
			seen[i].Odd &= 1<<n - 1
			seen[i].Hit &= 1<<n - 1
		}
	}
	return seen
}

// May says whether it is worth the time to check a hit: one in twenty is. It is
// small, so that it becomes a part of the loop that asks it.
func (g *Search) May(text []byte, i int) bool {
	if i+seedSize > len(text) {
		return true
	}
	h := hash(binary.LittleEndian.Uint32(text[i:]))
	return g.fours[h/64]>>(h%64)&1 != 0
}

// Check says what is at a hit: a word of alarm, whatever stands around it, or
// a word that follows later.
func (g *Search) Check(text []byte, i int) (alarm bool, later uint64) {
	v := fourAt(text, i)
	for _, s := range g.seeds[text[i]] {
		if (v|s.fold)&s.use == s.value && s.stands(text, i) {
			alarm = alarm || s.later == 0
			later |= s.later
		}
	}
	return alarm, later
}

// Laters gives the words that follow later of those it sees in a text.
func (g *Search) Laters(text []byte) (later uint64) {
	var sights [16]Sight
	for from := 0; from < len(text); from += len(sights) * SightSize {
		for i, v := range g.Look(text, from, sights[:]) {
			for v.Hit != 0 {
				if at := from + i*SightSize + Next(&v.Hit); g.May(text, at) {
					_, l := g.Check(text, at)
					later |= l
				}
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

// hash spreads four bytes over 15 bits, whatever their case.
func hash(v uint32) uint32 { return (v | 0x20202020) * 0x9e3779b1 >> 17 }

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
func glancePlain(g *Search, text []byte, seen []Sight) {
	for n := range seen {
		v := Sight{}
		var state uint32
		for i, b := range text[n*SightSize:][:SightSize+seedSize-1] {
			state = (state<<8 | 0xff) & g.agree[b]
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

// Next takes the first bit of a set.
func Next(set *uint64) int {
	i := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return i
}
