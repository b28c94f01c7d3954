//go:build !amd64 || purego

package glance

func (t *Tables) look(text []byte, seen []Sight) { t.Plain(text, seen) }
