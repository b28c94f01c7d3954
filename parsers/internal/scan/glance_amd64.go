//go:build !purego

package scan

import (
	"golang.org/x/sys/cpu"
)

// glance fills seen from as many blocks of text, of which seedSize-1 bytes
// more are there.
func glance(g *Search, text []byte, seen []Sight) {
	if len(seen) == 0 {
		return
	}
	if !cpu.X86.HasAVX2 {
		glancePlain(g, text, seen)
		return
	}
	_ = text[len(seen)*SightSize+seedSize-2]
	glanceAVX2(&g.groups, &text[0], len(seen), &seen[0])
}

//go:noescape
func glanceAVX2(t *[sets]tables, text *byte, blocks int, seen *Sight)
