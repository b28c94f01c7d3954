package recall

import "math/bits"

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
