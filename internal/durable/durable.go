// Package durable makes names and bytes on a local disk survive a power cut. All of
// cairn uses it, so that one rule holds: a file system that cannot sync a directory,
// and says so, has done what it can. Directories are made for their owner alone, since
// output may hold secrets. It decides nothing about formats and takes no locks.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The modes of directories and files that are made.
const (
	DirMode  = 0o700
	FileMode = 0o600
)

// SyncDir makes the names in a directory durable.
func SyncDir(path string) error { return syncDir(path) }

// SyncData makes the content and the size of f durable, without its times.
func SyncData(f *os.File) error { return syncData(f) }

// MkdirAll makes dir and its missing parents, each name durable in its parent before
// anything is put into it.
func MkdirAll(dir string) error {
	err := os.Mkdir(dir, DirMode)
	parent := filepath.Dir(dir)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err = MkdirAll(parent); err == nil {
			err = os.Mkdir(dir, DirMode)
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return SyncDir(parent)
}
