//go:build unix && !linux

package objects

func renameNew(from, to string) error { return linkNew(from, to) }
