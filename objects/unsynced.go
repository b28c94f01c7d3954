package objects

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

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
