//go:build !amd64 || purego

package scan

// glance fills seen from as many blocks of text, of which seedSize-1 bytes
// more are there.
func glance(g *Search, text []byte, seen []Sight) { glancePlain(g, text, seen) }
