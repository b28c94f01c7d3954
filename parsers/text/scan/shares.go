package scan

import (
	"math/bits"
	"sync"

	"cairn/parsers/text/glance"
	"cairn/parsers/text/lex"
)

// plan divides words among the groups that glance tells apart, so that few places in ordinary text are taken for
// one of them.
type plan struct {
	groups [glance.Sets * glance.SetSize]group
	crowd  [slotCount]int64 // how many words have each hash of their four bytes
}

// apart is the cost, in the unit of group.volume, of each further word with the same hash: all of them are compared
// where one of them may stand. It was chosen among powers of ten: with a tenth of it, eighteen words share "erro";
// with ten times as much, a third more of a log passes.
const apart = 100_000_000

// group is what the tables hold for one group of words: at each place, the low and high halves of the bytes. Bytes
// that are not ASCII are too rare to matter.
type group struct {
	places [seedSize]place
	// volume measures how much ordinary text passes for a word of the group: the product, over all places, of the
	// shares of the bytes that may stand there. 0 means that the group has no words.
	volume int64
}

// place is the set of bytes that the words of a group have at one place.
type place struct {
	low  uint16
	high uint8
	with [256]uint16 // the share with one byte more, by that byte, plus 128 for a byte in any case; 0: not computed yet
}

// put chooses four bytes of a word (at is where they begin) and a group so that the fewest places in ordinary text
// match.
func (p *plan) put(word string, anyCase bool) (at, best int) {
	var least int64
	for i := 0; i == 0 || i+seedSize <= len(word); i++ {
		four := word[i:min(len(word), i+seedSize)]
		crowded := apart * p.crowd[hashOf(four)]
		for k := range p.groups {
			g := &p.groups[k]
			if grown := g.with(four, anyCase) - g.volume + crowded; i == 0 && k == 0 || grown < least {
				at, best, least = i, k, grown
			}
		}
	}
	four := word[at:min(len(word), at+seedSize)]
	p.groups[best].add(four, anyCase)
	p.crowd[hashOf(four)]++
	return at, best
}

// with returns the group's volume with one word more. It is called ten thousand times, so that known shares are
// read without a call.
func (g *group) with(four string, anyCase bool) int64 {
	n := int64(1)
	for k := range g.places {
		if k >= len(four) {
			n *= shareOfAll // a word shorter than four bytes: anything may follow
			continue
		}
		p, key := &g.places[k], four[k]&0x7f
		if anyCase {
			key |= 0x80
		}
		sum := p.with[key]
		if sum == 0 {
			sum = p.ask(key)
		}
		n *= int64(sum)
	}
	return n
}

// add adds a word's four bytes to the group.
func (g *group) add(four string, anyCase bool) {
	g.volume = g.with(four, anyCase)
	for k := range g.places {
		p := &g.places[k]
		low, high := uint16(0xffff), uint8(0xff)
		if k < len(four) {
			low, high = p.low|lowBit(four[k]), p.high|highBits(four[k], anyCase)
		}
		if low != p.low || high != p.high {
			*p = place{low: low, high: high}
		}
	}
}

// ask computes and keeps the share of the place's bytes with one byte more.
func (p *place) ask(key byte) uint16 {
	p.with[key] = sumOf(p.low|lowBit(key), p.high|highBits(key&0x7f, key > 0x7f))
	return p.with[key]
}

func lowBit(c byte) uint16 { return 1 << (c & 15) }

func highBits(c byte, anyCase bool) uint8 {
	half := uint8(1) << (c >> 4 & 7)
	if anyCase && lex.Letter(c) != 0 {
		half |= 1 << (c>>4&7 ^ 2)
	}
	return half
}

// sumOf adds up the shares of the bytes whose low and high halves are in the sets low and high.
func sumOf(low uint16, high uint8) (sum uint16) {
	for rows := rows(); high != 0; high &= high - 1 {
		row := &rows[bits.TrailingZeros8(high)]
		sum += row[0][low&0xff] + row[1][low>>8]
	}
	return sum
}

// shares say roughly how common each byte is in what programs print, in parts of shareOfAll.
var shares = [...]struct {
	share uint16
	bytes string
}{
	{110, " "}, {60, "e"}, {45, "taoinsr"}, {25, "lcdpmu"}, {20, "0123456789./-_:=fgh"}, {12, "bvwkyx,[]()"}, {6, "qjzACDEINORST"},
	{3, "\t\"'<>#@%*+;|BFGHJKLMPQUVWXYZ!?&{}$~^`\\"},
}

const shareOfAll = 1339

// rows are sums of shares: indexed by the high half of the bytes, by whether bit 3 is set, and by the set of low
// halves. They are computed when the first word is learnt, so that starting the program does not wait for them.
var rows = sync.OnceValue(func() *[8][2][256]uint16 {
	var of [8][2][256]uint16
	for _, s := range shares {
		for _, c := range []byte(s.bytes) {
			half, bit := &of[c>>4][c>>3&1], 1<<(c&7)
			for set := range half {
				if set&bit != 0 {
					half[set] += s.share
				}
			}
		}
	}
	return &of
})
