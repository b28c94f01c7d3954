package objects

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CommitUnsynced is Commit without waiting for the disk, for bytes that the caller has
// on stable storage elsewhere, and gives to [Store.Settle] before it lets go of them. The
// object is there for every reader at once, and stays if this process dies; a power
// cut may take it, or leave a file that does not verify. It waits all the same
// where the output is longer than 256 KiB.
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
// other objects. A power cut may take the object, or leave a file that does not verify.
func (s *Store) PutUnsynced(b []byte) (Info, error) { return s.unsynced().PutBytes(b) }

// InfoOf describes b as an object; Stored, Codec and ModTime are for the store to say.
func InfoOf(b []byte) Info {
	d := newDigest()
	d.add(b)
	return Info{ID: d.id(), Size: d.size, Lines: d.lineCount()}
}

// Settle makes sure that b is stored and on stable storage, whatever became of a commit
// that was not synced.
func (s *Store) Settle(b []byte) (Info, error) {
	info, err := s.PutBytes(b)
	if err != nil || info.Size == 0 {
		return info, err
	}
	f, err := s.fs.OpenFile(s.objectPath(info.ID), os.O_RDWR, 0) // Windows syncs no file that is open to read
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

// unsynced is the same store without a wait for the disk.
func (s *Store) unsynced() *Store {
	return &Store{root: s.root, fs: unsyncedFS{s.fs}, now: s.now, wait: s.wait, also: s.also, ask: s.ask}
}

// unsyncedFS is a file system that does all but sync.
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
