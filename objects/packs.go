package objects

import (
	"cmp"
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

// An object is a file of its own, or lies in a pack file with others, or both. A put
// always makes a file of its own, so that no put depends on a pack file that another
// process may be about to rewrite.

const packSuffix = ".pack"

// packFile is what is known of one pack file. It holds as long as the file exists,
// since a name is never used for other bytes.
type packFile struct {
	name   string
	size   int64
	mtime  time.Time
	index  *packfile.Pack // has no open file; see Store.readPack
	damage error          // the index is damaged, so the objects were found without it
}

// packView is the pack files at one moment. It is immutable.
type packView struct {
	files  []*packFile // in order of name
	unread error       // error of pack files that could not be read
	turn   int         // number of the view: two views of one store with the same turn are equal
}

// packSet is the latest view.
type packSet struct {
	mu   sync.Mutex
	view *packView
}

func (s *Store) packPath(name string) string { return filepath.Join(s.root, "packs", name) }

// packView is the latest view, which is empty before the first look.
func (s *Store) packView() *packView {
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	return cmp.Or(s.packs.view, &packView{})
}

// lookAtPacks lists the pack files again, and reads the indexes of new ones.
func (s *Store) lookAtPacks() (*packView, error) {
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	was := s.packs.view
	was = cmp.Or(was, &packView{})
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
		case !errors.Is(err, fs.ErrNotExist): // if it does not exist, it was rewritten just now, and its successor is listed
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

// appendFrom appends the IDs that begin with the byte first.
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

// loadPack reads the index of a pack file. If the index is damaged, it finds the
// objects by reading all of the file. The error is an I/O error.
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

// readPack opens a pack file and calls do with it. The error is fs.ErrNotExist if it
// was rewritten meanwhile.
func (s *Store) readPack(p *packFile, do func(*packfile.Pack) error) error {
	f, err := s.fs.OpenFile(s.packPath(p.name), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(p.index.From(f))
}

// readPacked reads and checks an object of a pack file.
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

// standing checks that a pack file still exists, since the view may be old.
func (s *Store) standing(p *packFile) error {
	_, err := s.fs.Stat(s.packPath(p.name))
	return err
}

func (p *packFile) find(id ID) (packfile.Entry, bool) { return p.index.Find(packfile.ID(id)) }

// put is when an object was last put, according to this file.
func (p *packFile) put(e packfile.Entry) time.Time {
	if e.Put.IsZero() {
		return p.mtime // the index was damaged
	}
	return e.Put
}

func (p *packFile) info(e packfile.Entry) Info {
	return Info{ID: ID(e.ID), Size: e.Size, Lines: e.Lines, Stored: p.index.Stored(e), Codec: inPackFile, ModTime: p.put(e)}
}

// inPackFile is the Info.Codec of an object without a file of its own.
const inPackFile = "pack file"

// tries is how often look searches for an object that another process may be moving.
const tries = 10

// nowhere is the error of look for an object that does not exist.
type nowhere struct{ view *packView }

func (*nowhere) Error() string { return ErrNotFound.Error() }

func (*nowhere) Is(err error) bool { return err == fs.ErrNotExist }

// look finds an object: as a file of its own, or else in a pack file. loose and packed
// try one of these, and return fs.ErrNotExist if there is no object there. Even if
// another process moves the object meanwhile, look finds it: an object counts as absent
// only if it is no file between two equal listings of the pack files. If one copy is
// damaged, look takes a sound one. The error is that of loose or packed, or *nowhere.
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

// find is look with an error that says why the object is absent, or that it is being moved again and again.
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
