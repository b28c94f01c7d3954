package objects

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"cairn/internal/durable"
	"cairn/internal/lockfile"
)

// fileSystem is every call that this package makes on the disk, so that tests can make
// each of them fail. Methods with a name from package os do the same.
type fileSystem interface {
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	Mkdir(name string, perm fs.FileMode) error
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Chtimes(name string, mtime time.Time) error
	Remove(name string) error
	Rename(from, to string) error    // replaces to
	RenameNew(from, to string) error // fails with fs.ErrExist rather than replace to
	SyncDir(name string) error       // makes creations and renames in it durable
}

// file is an open file.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	// TryLock locks the file or fails with errLocked, without waiting. The lock lasts
	// until Close or the death of the process.
	TryLock(exclusive bool) error
	// StartWriteback hints that these bytes will be synced later.
	StartWriteback(off, n int64)
}

var errLocked = errors.New("locked")

// osFS is the real file system.
type osFS struct{}

type osFile struct{ *os.File }

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) Mkdir(name string, perm fs.FileMode) error  { return os.Mkdir(name, perm) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Lstat(name) }
func (osFS) Remove(name string) error                   { return os.Remove(name) }
func (osFS) Rename(from, to string) error               { return os.Rename(from, to) }
func (osFS) RenameNew(from, to string) error            { return renameNew(from, to) }
func (osFS) SyncDir(name string) error                  { return durable.SyncDir(name) }

func (osFS) Chtimes(name string, mtime time.Time) error { return os.Chtimes(name, time.Time{}, mtime) }

func (f osFile) TryLock(exclusive bool) error {
	try := lockfile.TryShared
	if exclusive {
		try = lockfile.Try
	}
	_, taken, err := try(f.File)
	if err == nil && !taken {
		return errLocked
	}
	return err
}

func (f osFile) StartWriteback(off, n int64) { startWriteback(f.File, off, n) }

// writeAt is f.WriteAt, but returns io.ErrShortWrite if a write is short and has no error.
func writeAt(f io.WriterAt, p []byte, off int64) (int, error) {
	n, err := f.WriteAt(p, off)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}
