package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/objects/packfile"
)

// An object is a file of its own, or lies in a pack file with others, or both. What
// is put is always a file of its own: no put depends on a pack file that someone may
// be about to rewrite.

const packSuffix = ".pack"

// packFile is what is known of one pack file. A name is never given to other bytes,
// so that this holds as long as the file is there.
type packFile struct {
	name   string
	size   int64
	mtime  time.Time
	index  *packfile.Pack // without a file to read from; see Store.readPack
	damage error          // of its index: the objects were found without it
}

// packView is the pack files at one moment. It is not changed any more.
type packView struct {
	files  []*packFile // in order of name
	unread error       // of those that could not be read
	turn   int         // of the views of one store, two with one turn are equal
}

// packSet is the latest view.
type packSet struct {
	mu   sync.Mutex
	view *packView
}

func (s *Store) packPath(name string) string { return filepath.Join(s.root, "packs", name) }

// packView is what was seen last, which may be nothing yet.
func (s *Store) packView() *packView {
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	if s.packs.view == nil {
		return &packView{}
	}
	return s.packs.view
}

// lookAtPacks lists the pack files again, and reads the indexes of new ones.
func (s *Store) lookAtPacks() (*packView, error) {
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	was := s.packs.view
	if was == nil {
		was = &packView{}
	}
	entries, err := s.fs.ReadDir(s.packPath(""))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	next := &packView{turn: was.turn + 1}
	var unread []error
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), packSuffix) {
			continue
		}
		p, err := was.named(e.Name()), error(nil)
		if p == nil {
			p, err = s.loadPack(e.Name())
		}
		switch {
		case err == nil:
			next.files = append(next.files, p)
		case !errors.Is(err, fs.ErrNotExist): // else it was rewritten just now, and its heir is there
			unread = append(unread, fmt.Errorf("pack file %s: %w", s.packPath(e.Name()), err))
		}
	}
	next.unread = errors.Join(unread...)
	if slices.Equal(next.files, was.files) {
		next.turn = was.turn
	}
	s.packs.view = next
	return next, nil
}

func (v *packView) named(name string) *packFile {
	i, ok := slices.BinarySearchFunc(v.files, name, func(p *packFile, name string) int { return strings.Compare(p.name, name) })
	if !ok {
		return nil
	}
	return v.files[i]
}

// appendFrom adds the IDs that begin with a byte.
func (v *packView) appendFrom(ids []ID, first byte) []ID {
	for _, p := range v.files {
		all := p.index.Entries()
		at, _ := slices.BinarySearchFunc(all, first, func(e packfile.Entry, first byte) int { return int(e.ID[0]) - int(first) })
		for ; at < len(all) && all[at].ID[0] == first; at++ {
			ids = append(ids, ID(all[at].ID))
		}
	}
	return ids
}

// loadPack reads the index of a pack file, or where that is damaged finds the objects
// by reading all of it. The error is of I/O.
func (s *Store) loadPack(name string) (*packFile, error) {
	f, err := s.fs.OpenFile(s.packPath(name), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p := &packFile{name: name, size: st.Size(), mtime: st.ModTime()}
	if p.index, err = packfile.Open(f, st.Size()); !isPackDamage(err) {
		return p, err
	}
	p.damage = err
	p.index, _, err = packfile.Recover(f, st.Size())
	return p, err
}

func isPackDamage(err error) bool {
	var d *packfile.DamageError
	return errors.As(err, &d)
}

// readPack opens a pack file to read objects. The error is fs.ErrNotExist when it was
// rewritten meanwhile.
func (s *Store) readPack(p *packFile, do func(*packfile.Pack) error) error {
	f, err := s.fs.OpenFile(s.packPath(p.name), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(p.index.From(f))
}

// readPacked reads an object of a pack file, which is checked.
func (s *Store) readPacked(p *packFile, id ID) (b []byte, err error) {
	err = s.readPack(p, func(r *packfile.Pack) error {
		b, err = r.Read(packfile.ID(id))
		return err
	})
	if isPackDamage(err) {
		return nil, &CorruptError{ID: id, Why: err.Error(), In: s.packPath(p.name)}
	}
	return b, err
}

// standing makes sure that a pack file is still there: what was seen may be long ago.
func (s *Store) standing(p *packFile) error {
	_, err := s.fs.Stat(s.packPath(p.name))
	return err
}

func (p *packFile) find(id ID) (packfile.Entry, bool) { return p.index.Find(packfile.ID(id)) }

// put is when an object was last put, as far as this file knows.
func (p *packFile) put(e packfile.Entry) time.Time {
	if e.Put.IsZero() {
		return p.mtime // found without the index
	}
	return e.Put
}

func (p *packFile) info(e packfile.Entry) Info {
	return Info{ID: ID(e.ID), Size: e.Size, Lines: e.Lines, Stored: p.index.Stored(e), Codec: inPackFile, ModTime: p.put(e)}
}

// inPackFile is the codec of what has no file of its own.
const inPackFile = "pack file"

// tries is how often an object is looked for that another process may be moving.
const tries = 10

// nowhere is the error of look for an object that is not there.
type nowhere struct{ view *packView }

func (*nowhere) Error() string { return ErrNotFound.Error() }

func (*nowhere) Is(err error) bool { return err == fs.ErrNotExist }

// look finds an object: as a file of its own, or else in a pack file. Either is tried
// by a function that returns fs.ErrNotExist without one. While others move an
// object from one to the other it is found all the same: it counts as absent only when
// it was not seen as a file between two equal listings of the pack files. A copy that
// is damaged hides no sound one. The error is one of the functions', or *nowhere.
func (s *Store) look(id ID, loose func() error, packed func(*packFile, packfile.Entry) error) error {
	var bad *CorruptError
	missed := func(err error) bool {
		var damaged *CorruptError
		if errors.As(err, &damaged) && bad == nil {
			bad = damaged
		}
		return damaged != nil || errors.Is(err, fs.ErrNotExist)
	}
	view, listed := s.packView(), false
	for range tries {
		err := loose()
		if errors.Is(err, errRaced) {
			continue
		}
		if !missed(err) {
			return err
		}
		for _, p := range view.files {
			e, ok := p.find(id)
			if !ok {
				continue
			}
			if err := packed(p, e); !missed(err) {
				return err
			}
		}
		next, err := s.lookAtPacks()
		settled := err == nil && listed && next.turn == view.turn
		switch {
		case err != nil:
			return err
		case bad != nil && (settled || len(next.files) == 0):
			return bad
		case settled:
			return &nowhere{next}
		}
		view, listed = next, true
	}
	return errRaced
}

// find is look with a reason where the object is not there, or is moved for ever.
func (s *Store) find(what string, id ID, loose func() error, packed func(*packFile, packfile.Entry) error) error {
	err := s.look(id, loose, packed)
	var not *nowhere
	switch {
	case errors.As(err, &not):
		return s.absent(id, not.view)
	case errors.Is(err, errRaced):
		return fmt.Errorf("%s object %s: %w", what, id, err)
	}
	return err
}
