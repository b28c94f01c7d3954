package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/durable"
	"cairn/objects/packfile"
)

const (
	dirMode  = durable.DirMode
	fileMode = durable.FileMode
)

const readme = `This directory belongs to cairn. It holds, by digest, the exact output of
commands that were run, and it is local: nothing in it is meant to be committed
or shared. "cairn objects stats" describes it, "cairn objects fsck" checks it,
"cairn objects gc" makes it smaller. Removing it loses the raw output but not
the record of what was run.
`

// A Store keeps objects under one directory. Any number of stores, in any number
// of processes on one machine, may use the same directory at once.
type Store struct {
	root string
	fs   fileSystem
	now  func() time.Time
	wait time.Duration // how long to wait for the lock
	also []*Store      // further stores to read objects from
	ask  func() error  // see Ask; nil if anything may be made

	packs packSet
}

// lockWait is how long a publish waits for a gc that holds the lock. The gc reads the
// manifest and unlinks files meanwhile, which takes seconds at most.
const lockWait = 60 * time.Second

// Open returns the store in root. It does no I/O: directories are made when something
// is first written. An object that is not there is read from the stores in also, which
// are used for nothing else.
func Open(root string, also ...string) *Store {
	s := &Store{root: root, fs: osFS{}, now: time.Now, wait: lockWait}
	for _, dir := range also {
		s.also = append(s.also, Open(dir))
	}
	return s
}

// Ask sets a function that is called before the directory of the store is made; its error forbids it.
// It prevents that a store is made again after it was removed together with everything around it.
func (s *Store) Ask(may func() error) { s.ask = may }

// holder is the store that has the object; s if no store has it.
func (s *Store) holder(id ID) *Store {
	if len(s.also) == 0 {
		return s
	}
	if s.holds(id) {
		return s
	}
	for _, other := range s.also {
		if other.Has(id) {
			return other
		}
	}
	return s
}

// Root returns the directory given to Open.
func (s *Store) Root() string { return s.root }

// Info describes an object.
type Info struct {
	ID      ID
	Size    int64     // bytes, uncompressed
	Lines   int64     // count of '\n', plus one for an unterminated last line
	Stored  int64     // bytes of the object file with its header, or its share of a pack file
	Codec   string    // "none", "zstd", "packed" or "pack file"
	Deduped bool      // set by Put and Commit: the store had these bytes already
	ModTime time.Time // when these bytes were last put
}

func (h header) info(id ID, mtime time.Time) Info {
	return Info{ID: id, Size: h.size, Lines: h.lines, Stored: h.stored + headerSize, Codec: h.codec.String(), ModTime: mtime}
}

func (s *Store) incoming(name string) string { return filepath.Join(s.root, "incoming", name) }

func (s *Store) objectDir(id ID) string { return filepath.Join(s.root, "objects", id.Hex()[:2]) }

func (s *Store) objectPath(id ID) string { return filepath.Join(s.objectDir(id), id.Hex()[2:]) }

// emptyID is the object without bytes. It always exists without a file, since many runs
// print nothing.
var emptyID = IDOf(nil)

// noBytes describes the object without bytes.
func (s *Store) noBytes() Info { return newDigest().plain().info(emptyID, s.now()) }

// Has reports whether the object exists, without looking into it.
func (s *Store) Has(id ID) bool { return id == emptyID || s.holder(id).holds(id) }

// holds is Has for this store alone.
func (s *Store) holds(id ID) bool {
	loose := func() error { _, err := s.fs.Stat(s.objectPath(id)); return err }
	return s.look(id, loose, func(p *packFile, _ packfile.Entry) error { return s.standing(p) }) == nil
}

// Stat describes an object by its header, without reading its data. The error is
// ErrNotFound, *GoneError, *CorruptError or an I/O error.
func (s *Store) Stat(id ID) (Info, error) {
	if id == emptyID {
		return s.noBytes(), nil
	}
	s = s.holder(id)
	info := Info{}
	loose := func() error {
		f, err := s.open(id)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err = s.statOpen(id, f)
		return err
	}
	err := s.find("stat", id, loose, func(p *packFile, e packfile.Entry) error { info = p.info(e); return s.standing(p) })
	if err != nil {
		return Info{}, err
	}
	return info, nil
}

func (s *Store) statOpen(id ID, f file) (Info, error) {
	st, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	h, err := readHeader(f, st.Size())
	if err != nil {
		return Info{}, s.condemn(id, f, err)
	}
	return h.info(id, st.ModTime()), nil
}

// open opens an object's file for reading.
func (s *Store) open(id ID) (file, error) { return s.fs.OpenFile(s.objectPath(id), os.O_RDONLY, 0) }

// absent finds the reason why an object is missing: damage or collection, whichever
// came last.
func (s *Store) absent(id ID, view *packView) error {
	stones, err := s.tombstones()
	if err != nil {
		return err
	}
	return s.absence(id, stones, view)
}

func (s *Store) absence(id ID, stones map[ID]tombstone, view *packView) error {
	name, found := s.quarantined(id)
	stone, gone := stones[id]
	switch {
	case gone && !found.After(stone.When):
		return &GoneError{ID: id, When: stone.When, Why: stone.Why}
	case name != "":
		return &CorruptError{ID: id, Why: "found damaged on " + found.UTC().Format(time.DateTime+"Z"), MovedTo: name}
	case view.unread != nil:
		return fmt.Errorf("object %s: it has no file of its own, and where it may be cannot be read: %w", id, view.unread)
	}
	for _, p := range view.files {
		if p.damage != nil {
			return &CorruptError{ID: id, Why: "it is nowhere else, and a pack file that may have held it says: " + p.damage.Error(), In: s.packPath(p.name)}
		}
	}
	if err := s.checkFormat(); err != nil {
		return fmt.Errorf("object %s: %w here, but %w", id, ErrNotFound, err)
	}
	return fmt.Errorf("object %s: %w", id, ErrNotFound)
}

// IDs lists the ID of every object, in order. It ends at the first error.
func (s *Store) IDs() iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for i := range 256 {
			ids, err := s.idsFrom(byte(i))
			if err != nil {
				yield(ID{}, err)
				return
			}
			for _, id := range ids {
				if !yield(id, nil) {
					return
				}
			}
		}
	}
}

// Readable lists every object that can be read: those of IDs, and those of the stores
// in also. An object may come twice.
func (s *Store) Readable() iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for _, from := range append([]*Store{s}, s.also...) {
			for id, err := range from.IDs() {
				if !yield(id, err) || err != nil {
					return
				}
			}
		}
	}
}

// idsFrom lists the objects whose IDs begin with the byte first, in order. It lists the pack
// files before and after the files, so that it misses no object that is moved meanwhile.
func (s *Store) idsFrom(first byte) ([]ID, error) {
	before, err := s.lookAtPacks()
	if err != nil {
		return nil, err
	}
	ids, _, err := s.fanOut(first)
	if err != nil {
		return nil, err
	}
	after, err := s.lookAtPacks()
	if err != nil {
		return nil, err
	}
	ids = before.appendFrom(ids, first)
	if after.turn != before.turn {
		ids = after.appendFrom(ids, first)
	}
	return sortedIDs(ids), nil
}

// All describes every object, in order of ID. An object that Stat refuses comes
// with its ID and the error; the iteration goes on.
func (s *Store) All() iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for id, err := range s.IDs() {
			if err != nil {
				yield(Info{}, err)
				return
			}
			info, err := s.Stat(id)
			if errors.Is(err, ErrNotFound) {
				continue // collected meanwhile
			}
			info.ID = id
			if !yield(info, err) {
				return
			}
		}
	}
}

// fanOut reads one directory of objects: the IDs in it, and the names that are not IDs.
func (s *Store) fanOut(first byte) (ids []ID, strays []string, err error) {
	prefix := fmt.Sprintf("%02x", first)
	dir := filepath.Join(s.root, "objects", prefix)
	entries, err := s.fs.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		id, err := ParseID(prefix + e.Name())
		if err != nil || id.Hex()[2:] != e.Name() {
			strays = append(strays, filepath.Join(dir, e.Name()))
			continue
		}
		ids = append(ids, id)
	}
	return ids, strays, nil
}

// exists reports whether anything was ever written to the store.
func (s *Store) exists() bool {
	_, err := s.fs.Stat(s.root)
	return err == nil
}

// lock takes the lock of the store, shared or exclusive, waiting at most wait, and
// returns the function that releases it.
func (s *Store) lock(exclusive bool, wait time.Duration) (unlock func(), err error) {
	name := filepath.Join(s.root, "lock")
	f, err := s.make(name, 0)
	if err != nil {
		return nil, err
	}
	if err := waitLock(f, exclusive, wait); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return func() { f.Close() }, nil
}

// waitLock polls, since a blocking flock cannot have a time limit.
func waitLock(f file, exclusive bool, wait time.Duration) error {
	const first, longest = time.Millisecond, 25 * time.Millisecond
	pause := first
	for waited := time.Duration(0); ; waited += pause {
		err := f.TryLock(exclusive)
		if !errors.Is(err, errLocked) {
			return err
		}
		if waited >= wait {
			return fmt.Errorf("%w (waited %v)", ErrBusy, wait)
		}
		pause = min(2*pause, longest)
		time.Sleep(pause)
	}
}

// create makes the directories that every store has.
func (s *Store) create() error {
	for _, dir := range []string{s.root, filepath.Join(s.root, "objects"), filepath.Join(s.root, "incoming")} {
		if err := s.mkdirAll(dir); err != nil {
			return fmt.Errorf("create object store: %w", err)
		}
	}
	f, err := s.fs.OpenFile(filepath.Join(s.root, "README"), os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return fmt.Errorf("create object store: %w", err)
	}
	defer f.Close()
	_, err = writeAt(f, []byte(readme), 0)
	return err
}

// make opens a file for writing, which it makes, as it does the store.
func (s *Store) make(name string, flags int) (file, error) {
	flags |= os.O_RDWR | os.O_CREATE
	f, err := s.fs.OpenFile(name, flags, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.create(); err != nil {
			return nil, err
		}
		f, err = s.fs.OpenFile(name, flags, fileMode)
	}
	return f, err
}

// mkdirAll makes a directory and its parents, each durable in its parent before
// anything is put into it.
func (s *Store) mkdirAll(dir string) error {
	if dir == s.root && s.ask != nil {
		if err := s.ask(); err != nil {
			return err
		}
	}
	err := s.fs.Mkdir(dir, dirMode)
	parent := filepath.Dir(dir)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err := s.mkdirAll(parent); err != nil {
			return err
		}
		err = s.fs.Mkdir(dir, dirMode)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.fs.SyncDir(parent)
}
