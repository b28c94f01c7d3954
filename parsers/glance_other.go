//go:build !amd64

package parsers

// glance fills seen from as many blocks of text, of which seedSize-1 bytes
// more are there.
func glance(t *glassTables, text []byte, seen []sight) { glancePlain(t, text, seen) }
