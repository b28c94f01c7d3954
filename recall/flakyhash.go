package recall

import (
	"hash/maphash"
	"slices"
	"sync"

	"cairn/recall/index"
)

// hashes are the hashes of one segment's rows, by which verdicts are compared.
type hashes struct {
	failing []bool                  // by finding, whether it is a failed test
	trees   []uint64                // by row, a hash of command and tree; 0 if the run does not count
	groups  []uint64                // by finding, a hash of its test's group
	flags   []int                   // by value of the flags, how many rows have it
	twins   bool                    // some run has two rows
	red     []redRow                // in the order of the segment
	run     []uint64                // buffer of the method failed: the hashes of one run
	runs    map[[2]uint32]*treeRuns // by the numbers of the key and where texts
}

// redRow is a row whose run has a failed test, with a hash of all the tests that failed in that run.
type redRow struct {
	i      int
	failed uint64
}

// noText is the hash of an empty text. The hash of any other text is odd.
const noText = 2

// seed differs in each process, since no hash is stored.
var seed = maphash.MakeSeed()

// hashed is the hash of a text.
func hashed(text []byte) uint64 {
	if len(text) == 0 {
		return noText
	}
	return maphash.Bytes(seed, text) | 1
}

// textHashes are buffers that one segment after the other uses.
var textHashes = sync.Pool{New: func() any { return new([2][]uint64) }}

func (h *hashes) read(s *index.Segment, failing func(findingRow) bool) {
	h.failing, h.groups, h.trees = make([]bool, s.Findings()), make([]uint64, s.Findings()), make([]uint64, s.Len())
	for n := range h.failing {
		if f := readFinding(s.Finding(uint32(n))); failing(f) {
			h.failing[n], h.groups[n] = true, hashed([]byte(f.Group))
		}
	}
	h.flags = make([]int, 1<<16)
	lent := textHashes.Get().(*[2][]uint64)
	defer textHashes.Put(lent)
	for k, t := range lent {
		lent[k] = append(t[:0], make([]uint64, s.Texts())...)
	}
	keys, wheres := lent[0], lent[1] // hashes by number of a text, each computed once
	for i := range h.trees {
		flags := s.Flags(i)
		h.flags[flags]++
		h.twins = h.twins || s.Twin(i)
		if !counts(flags) {
			continue
		}
		k, w := s.Key(i), s.Where(i)
		if keys[k] == 0 {
			keys[k] = hashed(s.TextBytes(k))
		}
		if wheres[w] == 0 {
			wheres[w] = hashed(row{s, i}.tree())
		}
		if keys[k] != noText && wheres[w] != noText {
			const odd = 0x9e3779b97f4a7c15 // keeps the two from cancelling each other
			h.trees[i] = (keys[k]*odd ^ wheres[w]) | 1
		}
	}
}

// failed is a hash of the set of tests that failed in a run.
func (h *hashes) failed(r row) (sum uint64) {
	h.run = h.run[:0]
	for n := range r.s.EachHas(r.i) {
		if !h.failing[n] {
			continue
		}
		if g := h.groups[n]; !slices.Contains(h.run, g) {
			h.run = append(h.run, g)
			sum += g
		}
	}
	return sum
}
