package lex

// Hash is a 64-bit FNV-1a hash (Fowler, Noll and Vo), for sets of what was seen before
// that must not grow with what is in them. It makes no garbage, which hash/fnv does
// for strings.
type Hash uint64

const fnvPrime = 1099511628211

func NewHash() Hash { return 14695981039346656037 }

// Text adds a string and where it ends.
func (h Hash) Text(s string) Hash {
	for i := range len(s) {
		h = (h ^ Hash(s[i])) * fnvPrime
	}
	return (h ^ 0xff) * fnvPrime // no byte of UTF-8
}

func (h Hash) Number(n int) Hash {
	for range 8 {
		h = (h ^ Hash(n&0xff)) * fnvPrime
		n >>= 8
	}
	return h
}
