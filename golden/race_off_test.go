//go:build !race

package golden

// oneOf: see the other file.
const oneOf = 1
