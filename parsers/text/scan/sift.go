package scan

import "encoding/binary"

// A glance takes many places for words that hold none: it looks at four bytes, and
// only by halves. sift takes most of these out again before anything branches on
// them, which costs more than all else: what a text holds cannot be foretold.

// probe is how the eight bytes look that hold all of a word's four, and what of the
// word stands before them or behind them.
type probe struct {
	value, fold, use uint64 // the bytes, the bits to set first and to look at
	from             uint64 // where the eight begin, counted from probeBack before the four
}

const (
	probeSize = 8
	// probeBack is how far before the four bytes the eight may begin.
	probeBack = probeSize - seedSize
	// sifted is how much text is looked at around 64 bytes.
	sifted = probeBack + SightSize + probeSize
)

// sift takes those hits out at which no word can be. The 64 bytes that they are of
// begin at probeBack.
func (g *Search) sift(text *[sifted]byte, hits uint64) (left uint64) {
	for hits != 0 {
		i := Next(&hits) & (SightSize - 1)
		four := binary.LittleEndian.Uint32(text[i+probeBack:])
		p := &g.probes[g.slots[hash(four)]]
		eight := binary.LittleEndian.Uint64(text[i+int(p.from&probeBack):])
		differs := (eight|p.fold)&p.use ^ p.value
		left |= ((differs|-differs)>>63 ^ 1) << i
	}
	return left
}

const (
	slotBits  = 11
	slotCount = 1 << slotBits
)

// hash spreads the first three of four bytes over the slots, whatever their case.
func hash(v uint32) uint32 { return (v | 0x202020) << 8 * 0x9e3779b1 >> (32 - slotBits) }

func hashOf(four string) uint32 { return hash(fourAt([]byte(four), 0)) }

// probeOf lets every place through at which one of the seeds stands.
func probeOf(seeds []seed) probe {
	p := seeds[0].probe(seeds[0].at >= probeBack && len(seeds) == 1)
	for _, s := range seeds[1:] {
		q := s.probe(false)
		p.fold |= q.fold
		p.use &= q.use &^ ((p.value | p.fold) ^ (q.value | p.fold))
	}
	p.value = (p.value | p.fold) & p.use
	return p
}

// probe is that of one seed, with the text before the four bytes or behind them.
func (s *seed) probe(before bool) (p probe) {
	begin := s.at
	if before {
		begin -= probeBack
	} else {
		p.from = probeBack
	}
	for k, c := range []byte(s.word[begin:min(len(s.word), begin+probeSize)]) {
		p.use |= 0xff << (8 * k)
		if s.later == 0 {
			p.fold |= 0x20 << (8 * k)
		}
		p.value |= uint64(c) << (8 * k)
	}
	p.value |= p.fold & p.use
	return p
}
