//go:build !amd64

package scan

// glance fills seen from as many blocks of text, of which seedSize-1 bytes
// more are there.
func glance(t *glassTables, text []byte, seen []Sight) { glancePlain(t, text, seen) }
