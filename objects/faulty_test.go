package objects_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"cairn/objects"
)

// errDead is what every call returns once the process has "died".
var errDead = errors.New("the process is dead")

// faulty is a disk on which things go wrong: any call can be made to fail, and
// the process, or the power, can go between any two steps that change something.
type faulty struct {
	t     testing.TB
	grave string // where removed files wait for a power cut to bring them back

	mu     sync.Mutex
	fault  func(op, path string) error // asked before each call; may be nil
	torn   func(n int) int             // how much of a write of n bytes is done; may be nil
	flip   func(p []byte)              // spoils what was read; may be nil
	silent bool                        // a write that fails does not say how much was done
	dieAt  int                         // the step that is not taken any more; -1 for never
	steps  int
	dead   bool
	files  map[*faultyFile]bool // open
	undo   []undo               // what a power cut would undo, in order
	lost   []*unsynced
}

// undo takes back a change of a directory that was not synced.
type undo struct {
	dir string
	do  func()
}

// unsynced is a file whose end is not on the disk yet.
type unsynced struct {
	f    *os.File
	size int64 // synced
}

// quickly opens a store that never waits for the disk.
func quickly(t testing.TB, root string) *objects.Store {
	y := newFaulty(t)
	t.Cleanup(y.bury)
	return y.store(root)
}

func newFaulty(t testing.TB) *faulty {
	return &faulty{t: t, grave: t.TempDir(), dieAt: -1, files: map[*faultyFile]bool{}}
}

func (y *faulty) store(root string) *objects.Store {
	return objects.OpenOn(root, y, 5*time.Second)
}

// before counts and judges one call; y.mu is held.
func (y *faulty) before(op, path string, changes bool) error {
	if changes && !y.dead {
		if y.steps == y.dieAt {
			y.die()
		}
		y.steps++
	}
	if y.dead {
		return errDead
	}
	if y.fault != nil {
		return y.fault(op, path)
	}
	return nil
}

// die closes every file, as the kernel does, which lets go of the locks.
func (y *faulty) die() {
	y.dead = true
	for f := range y.files {
		f.File.Close()
	}
}

// cutPower takes back all that was not synced. The process is dead by then.
func (y *faulty) cutPower() {
	for _, u := range y.lost {
		if err := u.f.Truncate(u.size); err != nil {
			y.t.Error(err)
		}
	}
	for i := len(y.undo) - 1; i >= 0; i-- {
		y.undo[i].do()
	}
}

func (y *faulty) bury() {
	for _, u := range y.lost {
		u.f.Close()
	}
}

func (y *faulty) changed(dir string, do func()) { y.undo = append(y.undo, undo{dir, do}) }

func (y *faulty) OpenFile(name string, flag int, perm fs.FileMode) (objects.File, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	_, err := os.Lstat(name)
	creates := flag&os.O_CREATE != 0 && err != nil
	op := "open"
	if creates {
		op = "create"
	}
	if err := y.before(op, name, creates); err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	f, err := objects.OSFS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if creates {
		y.changed(filepath.Dir(name), func() { os.Remove(name) })
	}
	ff := &faultyFile{File: f, y: y, name: name}
	if flag&(os.O_RDWR|os.O_WRONLY) != 0 {
		st, err := f.Stat()
		raw, err2 := os.OpenFile(name, os.O_RDWR, 0)
		if err := errors.Join(err, err2); err != nil {
			f.Close()
			if errors.Is(err, fs.ErrNotExist) {
				return nil, err // another store published or removed it meanwhile
			}
			y.t.Fatal(err)
		}
		ff.u = &unsynced{raw, st.Size()}
		y.lost = append(y.lost, ff.u)
	}
	y.files[ff] = true
	return ff, nil
}

func (y *faulty) Mkdir(name string, perm fs.FileMode) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	_, err := os.Lstat(name)
	if err := y.before("mkdir", name, err != nil); err != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: err}
	}
	if err := objects.OSFS.Mkdir(name, perm); err != nil {
		return err
	}
	y.changed(filepath.Dir(name), func() { os.RemoveAll(name) })
	return nil
}

func (y *faulty) ReadDir(name string) ([]fs.DirEntry, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("readdir", name, false); err != nil {
		return nil, err
	}
	return objects.OSFS.ReadDir(name)
}

func (y *faulty) Stat(name string) (fs.FileInfo, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("stat", name, false); err != nil {
		return nil, err
	}
	return objects.OSFS.Stat(name)
}

func (y *faulty) Chtimes(name string, mtime time.Time) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("chtimes", name, true); err != nil {
		return err
	}
	return objects.OSFS.Chtimes(name, mtime)
}

func (y *faulty) Remove(name string) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("remove", name, true); err != nil {
		return err
	}
	kept := filepath.Join(y.grave, fmt.Sprint(y.steps))
	if err := os.Link(name, kept); err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: errors.Unwrap(err)}
	}
	y.changed(filepath.Dir(name), func() { os.Rename(kept, name) })
	return objects.OSFS.Remove(name)
}

func (y *faulty) Rename(from, to string) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("rename", to, true); err != nil {
		return err
	}
	kept := filepath.Join(y.grave, fmt.Sprint(y.steps))
	if err := os.Link(to, kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	y.changed(filepath.Dir(to), func() { os.Rename(to, from); os.Rename(kept, to) })
	return objects.OSFS.Rename(from, to)
}

func (y *faulty) RenameNew(from, to string) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("renamenew", to, true); err != nil {
		return err
	}
	if err := objects.OSFS.RenameNew(from, to); err != nil {
		return err
	}
	y.changed(filepath.Dir(to), func() { os.Rename(to, from) })
	return nil
}

func (y *faulty) SyncDir(name string) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err := y.before("syncdir", name, true); err != nil {
		return err
	}
	var rest []undo
	for _, u := range y.undo {
		if u.dir != name {
			rest = append(rest, u)
		}
	}
	y.undo = rest
	return nil
}

type faultyFile struct {
	objects.File
	y    *faulty
	name string
	u    *unsynced // nil when open for reading
}

func (f *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if err := f.y.before("read", f.name, false); err != nil {
		return 0, err
	}
	n, err := f.File.ReadAt(p, off)
	if f.y.flip != nil {
		f.y.flip(p[:n])
	}
	return n, err
}

// WriteAt does half of the write in which the process dies.
func (f *faultyFile) WriteAt(p []byte, off int64) (int, error) {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if f.y.steps == f.y.dieAt && !f.y.dead {
		f.File.WriteAt(p[:len(p)/2], off)
	}
	err := f.y.before("write", f.name, true)
	if err == errDead {
		return 0, err
	}
	n := len(p)
	if f.y.torn != nil {
		n = f.y.torn(n)
	} else if err != nil {
		n /= 2 // a disk that fills up takes the first part
	}
	n, werr := f.File.WriteAt(p[:n], off)
	if f.y.silent && err != nil {
		n = 0 // tmpfs, and os.File when a write is cut in two
	}
	return n, errors.Join(err, werr)
}

func (f *faultyFile) Truncate(size int64) error {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if err := f.y.before("truncate", f.name, true); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) Sync() error {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if err := f.y.before("sync", f.name, true); err != nil {
		return err
	}
	st, err := f.File.Stat()
	if err != nil {
		return err
	}
	for _, u := range f.y.lost { // whichever handle wrote it
		if same, err := u.f.Stat(); err == nil && os.SameFile(same, st) {
			u.size = st.Size()
		}
	}
	return nil // the machine stays up: no need to wait for its disk
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if err := f.y.before("fstat", f.name, false); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultyFile) TryLock(exclusive bool) error {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if err := f.y.before("lock", f.name, false); err != nil {
		return err
	}
	return f.File.TryLock(exclusive)
}

func (f *faultyFile) StartWriteback(off, n int64) {}

func (f *faultyFile) Close() error {
	f.y.mu.Lock()
	defer f.y.mu.Unlock()
	if f.y.dead || !f.y.files[f] {
		return nil
	}
	delete(f.y.files, f)
	return f.File.Close()
}
