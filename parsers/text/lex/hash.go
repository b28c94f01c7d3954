package lex

// Hash is a 64-bit FNV-1a hash (Fowler, Noll and Vo), used to remember what was seen in sets whose size does not
// depend on the length of their elements. Unlike hash/fnv, it allocates nothing for strings.
type Hash uint64

const fnvPrime = 1099511628211

func NewHash() Hash { return 14695981039346656037 }

// Text adds a string and a mark for its end.
func (h Hash) Text(s string) Hash {
	for i := range len(s) {
		h = (h ^ Hash(s[i])) * fnvPrime
	}
	return (h ^ 0xff) * fnvPrime // 0xff occurs in no UTF-8 text
}

func (h Hash) Number(n int) Hash {
	for range 8 {
		h = (h ^ Hash(n&0xff)) * fnvPrime
		n >>= 8
	}
	return h
}
