package objects

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// storeFormat is the newest store format that this program knows: a store of format 1
// has only object files, of format 2 also pack files.
const storeFormat = 2

// ErrNewer says that a newer cairn wrote to the store in a format that this one does
// not know. This one may put and read objects there, but judges and removes nothing.
var ErrNewer = errors.New("the store was written to by a newer cairn, which has to do this")

func (s *Store) formatPath() string { return filepath.Join(s.root, "format") }

// checkFormat must be called before anything is moved, removed or called missing. An empty
// format file was left by a process that died before it wrote anything of its format.
func (s *Store) checkFormat() error {
	n, err := s.readFormat()
	if err == nil && n > storeFormat {
		err = fmt.Errorf("%w: %s says format %d, and this program knows up to %d", ErrNewer, s.formatPath(), n, storeFormat)
	}
	return err
}

func (s *Store) readFormat() (int, error) {
	f, err := s.fs.OpenFile(s.formatPath(), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	text := make([]byte, min(st.Size(), 64))
	if err := readFull(f, text, 0); err != nil {
		return 0, err
	}
	if len(text) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < 1 {
		return storeFormat + 1, nil // any unreadable value counts as a newer format
	}
	return n, nil
}

// raiseFormat raises the store's format before the first pack file is written.
func (s *Store) raiseFormat() error {
	n, err := s.readFormat()
	if err != nil || n >= storeFormat {
		return err
	}
	f, err := s.fs.OpenFile(s.formatPath(), os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := writeAt(f, fmt.Appendln(nil, storeFormat), 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return s.fs.SyncDir(s.root)
}

// CommitUnsynced is Commit without waiting for the disk. The caller must have the bytes
// on stable storage elsewhere, and pass them to [Store.Settle] before it drops them.
// Every reader sees the object at once, and it survives the death of this process; a
// power cut may lose it, or leave a file that does not verify. Output of more than 256
// KiB is synced all the same.
func (in *Incoming) CommitUnsynced() (Info, error) {
	if in.follower == nil {
		in.s = in.s.unsynced()
		if in.spool != nil {
			in.spool.file = unsyncedFile{in.spool.file}
		}
	}
	return in.Commit()
}

// PutUnsynced is PutBytes without waiting for the disk, for bytes that can be made again from
// other objects. A power cut may lose the object, or leave a file that does not verify.
func (s *Store) PutUnsynced(b []byte) (Info, error) { return s.unsynced().PutBytes(b) }

// InfoOf describes b as an object, without Stored, Codec and ModTime, which depend on the store.
func InfoOf(b []byte) Info {
	d := newDigest()
	d.add(b)
	return Info{ID: d.id(), Size: d.size, Lines: d.lineCount()}
}

// Settle makes sure that b is stored and on stable storage, after a commit that was not
// synced.
func (s *Store) Settle(b []byte) (Info, error) {
	info, err := s.PutBytes(b)
	if err != nil || info.Size == 0 {
		return info, err
	}
	f, err := s.fs.OpenFile(s.objectPath(info.ID), os.O_RDWR, 0) // Windows does not sync a file opened for reading
	if err != nil {
		return info, fmt.Errorf("settle object %s: %w", info.ID, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return info, fmt.Errorf("settle object %s: %w", info.ID, err)
	}
	for _, dir := range []string{s.objectDir(info.ID), filepath.Join(s.root, "objects")} {
		if err := s.fs.SyncDir(dir); err != nil {
			return info, fmt.Errorf("settle object %s: %w", info.ID, err)
		}
	}
	return info, nil
}

// unsynced is the same store, but it does not wait for the disk.
func (s *Store) unsynced() *Store {
	return &Store{root: s.root, fs: unsyncedFS{s.fs}, now: s.now, wait: s.wait, also: s.also, ask: s.ask}
}

// unsyncedFS is a file system whose syncs do nothing.
type unsyncedFS struct{ fileSystem }

type unsyncedFile struct{ file }

func (y unsyncedFS) SyncDir(string) error { return nil }

func (y unsyncedFS) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := y.fileSystem.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

func (unsyncedFile) Sync() error { return nil }
