package scan

import "encoding/binary"

// glance reports many places where no word begins: it looks at four bytes, and at their halves separately. sift
// removes most of these hits without branching, since a branch on unpredictable text costs more than all else.

// probe is a pattern for eight bytes of text: a word's four known bytes and what the word has before or behind
// them.
type probe struct {
	value, fold, use uint64 // the bytes; bits to set in the text first; bits to compare
	from             uint64 // where the eight bytes begin, counted from probeBack bytes before the four
}

const (
	probeSize = 8
	// probeBack is how far before the four bytes the eight bytes may begin.
	probeBack = probeSize - seedSize
	// sifted is how many bytes sift needs for a block of 64: those around it included.
	sifted = probeBack + SightSize + probeSize
)

// sift removes the hits at which no word can stand. The 64 bytes that hits describes begin at text[probeBack].
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

// hash maps the first three of four bytes to a slot, whatever their case.
func hash(v uint32) uint32 { return (v | 0x202020) << 8 * 0x9e3779b1 >> (32 - slotBits) }

func hashOf(four string) uint32 { return hash(fourAt([]byte(four), 0)) }

// probeOf returns a probe that matches wherever one of the seeds stands.
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

// probe returns the probe of one seed; before chooses the text before the four bytes rather than behind them.
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
