package recall

import (
	"context"
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"sync"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
	"cairn/result"
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

// hashTable maps hashes to numbers, with 16 bytes for a slot and at least a quarter of the
// slots free. A Go map of a million entries would take several times the memory and more time.
type hashTable struct {
	keys, values []uint64 // by slot; the key 0 marks a free slot
	n            int      // number of keys
}

// put adds a key with a value. If the key is there already, put returns its value and keeps it. The key 0 is never
// stored.
func (t *hashTable) put(key, value uint64) (held uint64, known bool) {
	if 4*t.n >= 3*len(t.keys) {
		t.grow()
	}
	i := t.place(key)
	if t.keys[i] == key {
		return t.values[i], key != 0
	}
	t.keys[i], t.values[i] = key, value
	t.n++
	return value, false
}

func (t *hashTable) has(key uint64) bool { return t.n > 0 && key != 0 && t.keys[t.place(key)] == key }

// place is the slot of a key, or the free slot where it would be.
func (t *hashTable) place(key uint64) int {
	mask := uint64(len(t.keys) - 1)
	i := key >> 1 & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

func (t *hashTable) grow() { t.reserve(max(1<<11, len(t.keys))) }

// reserve makes room for n keys in all.
func (t *hashTable) reserve(n int) {
	old, size := *t, 1<<bits.Len(uint(4*n/3))
	*t = hashTable{keys: make([]uint64, size), values: make([]uint64, size)}
	for i, key := range old.keys {
		if key != 0 {
			t.put(key, old.values[i])
		}
	}
}

// hashSet is a set of hashes that keeps only 21 bits of each, in 256 KB, so has may be wrong: it says yes to one in
// two million other hashes for each member.
type hashSet []uint64

func newHashSet() hashSet { return make(hashSet, 1<<15) }

func (t hashSet) put(hash uint64) {
	if hash != 0 {
		t[hash>>1&(1<<15-1)] |= 1 << (hash >> 58)
	}
}

func (t hashSet) has(hash uint64) bool { return hash != 0 && t[hash>>1&(1<<15-1)]&(1<<(hash>>58)) != 0 }

// Compared is a run, passing or not, and the earlier run of its command that it is compared with, finding by
// finding. If no earlier run is certainly comparable, Base is nil and no finding has a Baseline.
type Compared struct {
	Base  *manifest.Record
	Where string // where the base was made: "on this branch"
	// Fixed are findings of the base that the run proves gone. Gone are findings of the base
	// that the run does not show either, but that may still be there; Why gives the reason.
	Fixed, Gone []result.Finding
	Why         string
	Unnamed     int // findings of the base that the run does not show and that the base's record does not describe
	// Took are the durations of the command's earlier runs that ended with the same status, in milliseconds, newest
	// first.
	Took []int64
}

// Compare compares a run, passing or not, with the earlier run that against selects, as Standing does,
// and marks the findings of r as new or still there. Earlier runs for which without is true are passed
// over, so that a report on several runs of a command shows the changes since the last run before them.
func Compare(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult, against string, without func(*manifest.Record) bool) (*Compared, error) {
	c := &Compared{}
	if rec == nil || r == nil || rec.Key == "" {
		return c, nil
	}
	now := &run{rec: rec, result: r}
	past, err := pastOf(ctx, s, now, against)
	if err != nil {
		return nil, err
	}
	past.runs = slices.DeleteFunc(past.runs, func(p *run) bool { return p.rec.ID > rec.ID || without != nil && without(p.rec) })
	for _, p := range past.runs {
		if p.result.Status == r.Status {
			c.Took = append(c.Took, p.rec.DurationMS)
		}
	}
	if !now.certain() && !(accounted(rec, r) && now.whole()) {
		return c, nil
	}
	base, where := past.pick.base(ctx, s, past.runs, now)
	if base == nil {
		return c, nil
	}
	c.Base, c.Where = base.rec, where
	c.mark(base, now)
	return c, nil
}

// mark sets the Baseline of now's findings and fills Fixed, Gone and Unnamed with findings of base.
func (c *Compared) mark(base, now *run) {
	left := maps.Clone(base.prints())
	for i := range now.result.Findings {
		f := &now.result.Findings[i]
		f.Baseline = result.BaselineNew
		if left[f.Fingerprint] > 0 {
			left[f.Fingerprint]--
			f.Baseline = result.BaselineStill
		}
	}
	for _, fingerprint := range now.rec.More {
		if !now.shows(fingerprint) {
			left[fingerprint]--
		}
	}
	for _, f := range base.result.Findings {
		if left[f.Fingerprint] <= 0 {
			continue
		}
		left[f.Fingerprint]--
		if why := unproven(now.rec, now.result, f); why != "" {
			c.Gone, c.Why = append(c.Gone, f), why
		} else {
			c.Fixed = append(c.Fixed, f)
		}
	}
	for _, n := range left {
		c.Unnamed += max(n, 0)
	}
}
