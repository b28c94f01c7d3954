//go:build !purego

package glance

import "golang.org/x/sys/cpu"

func (t *Tables) look(text []byte, seen []Sight) {
	if !cpu.X86.HasAVX2 {
		t.Plain(text, seen)
		return
	}
	glanceAVX2(&t.sets, &text[0], len(seen), &seen[0])
}

//go:noescape
func glanceAVX2(t *[Sets]tables, text *byte, blocks int, seen *Sight)
