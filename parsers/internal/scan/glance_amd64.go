package scan

import (
	"golang.org/x/sys/cpu"
)

// glance fills seen from as many blocks of text, of which seedSize-1 bytes
// more are there.
func glance(t *glassTables, text []byte, seen []Sight) {
	if len(seen) == 0 {
		return
	}
	if !cpu.X86.HasAVX2 {
		glancePlain(t, text, seen)
		return
	}
	_ = text[len(seen)*SightSize+seedSize-2]
	glanceAVX2(t, &text[0], len(seen), &seen[0])
}

//go:noescape
func glanceAVX2(t *glassTables, text *byte, blocks int, seen *Sight)
