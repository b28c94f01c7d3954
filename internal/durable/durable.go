// Package durable makes names and bytes on a local disk survive a power cut. All of
// cairn uses it, so that one rule holds: a file system that cannot sync a directory,
// and says so, has done what it can. Directories are made for their owner alone, since
// output may hold secrets. A file is replaced as a whole. It decides nothing about
// formats and takes no locks.
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

// Replace writes a file under a temporary name of this pattern (see os.CreateTemp) beside path, and renames it to path, so
// that a reader finds the old content or the new. To outlast a power cut, write has to sync, and the caller the directory.
func Replace(path, pattern string, mode fs.FileMode, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Chmod(mode)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Bytes is a function for Replace that writes text, and with lasting syncs it.
func Bytes(text []byte, lasting bool) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.Write(text)
		if err == nil && lasting {
			err = syncData(f)
		}
		return err
	}
}

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
