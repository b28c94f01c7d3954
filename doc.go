// Package cairn has no code: the program is cmd/cairn. Its tests keep the house
// in order: who may import whom, that every package says what it promises,
// that every direct dependency is accounted for.
package cairn
