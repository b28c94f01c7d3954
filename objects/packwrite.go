package objects

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/objects/packfile"
)

// Objects are compressed together in groups of at least so many bytes, and where they are
// larger, of so many that a group has some sixteen: a reader of one unpacks them all.
const (
	groupLeast = 64 << 10
	groupOf    = 16
)

func groupSize(next int) int { return min(max(groupLeast, groupOf*next), packfile.MaxGroup) }

// packWriter writes one pack file, or in a dry run only counts. pack.lock is held.
type packWriter struct {
	s    *Store
	tmp  *pending // nil in a dry run
	w    *packfile.Writer
	want map[ID]bool
	off  int64
}

func (s *Store) newPackFile(dryRun bool) (w *packWriter, err error) {
	w = &packWriter{s: s, want: map[ID]bool{}}
	if !dryRun {
		if w.tmp, err = s.createTemp(); err != nil {
			return nil, err
		}
	}
	if w.w, err = packfile.NewWriter(w); err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

func (w *packWriter) Write(p []byte) (int, error) {
	n, err := len(p), error(nil)
	if w.tmp != nil {
		n, err = writeAt(w.tmp.file, p, w.off)
	}
	w.off += int64(n)
	return n, err
}

// discard gives up the file; after publish there is nothing left to remove.
func (w *packWriter) discard() {
	if w.tmp != nil {
		w.s.discard(w.tmp)
	}
}

// full reports whether the file takes no more.
func (w *packWriter) full() bool { return len(w.want) == packfile.MaxObjects || w.off >= packMost }

// add adds an object, whose ID its bytes must have.
func (w *packWriter) add(id ID, b []byte, put time.Time) error {
	if w.w.Pending()+len(b) > groupSize(len(b)) {
		if err := w.w.EndGroup(); err != nil {
			return err
		}
	}
	got, err := w.w.Add(b, put)
	if err == nil && ID(got) != id {
		err = &damage{"digest of the bytes is " + ID(got).String()}
	}
	w.want[id] = true
	return err
}

// publish makes the file durable, reads all of it back, and gives it its name. From
// then on it may be all that is left of what it holds.
func (w *packWriter) publish() error {
	if err := w.w.Close(); err != nil || w.tmp == nil {
		return err
	}
	if err := w.tmp.Sync(); err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	dir := w.s.packPath("")
	if err := errors.Join(w.s.raiseFormat(), w.s.mkdirAll(filepath.Clean(dir))); err != nil {
		return err
	}
	if closeBeforeRename {
		w.tmp.Close()
	}
	if err := w.s.fs.RenameNew(w.tmp.path, w.s.packPath(strings.ToLower(rand.Text())+packSuffix)); err != nil {
		return err
	}
	return w.s.fs.SyncDir(filepath.Clean(dir))
}

// check reads the file as it was written, by its name, and compares every object with
// its digest.
func (w *packWriter) check() error {
	f, err := w.s.fs.OpenFile(w.tmp.path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	p, err := packfile.Open(f, st.Size())
	if err != nil {
		return err
	}
	left := len(w.want)
	err = p.Each(func(e packfile.Entry, _ []byte, err error) error {
		if err == nil && w.want[ID(e.ID)] {
			left--
		}
		return err
	})
	if err == nil && left > 0 {
		err = fmt.Errorf("%d objects were not written", left)
	}
	if err != nil {
		return fmt.Errorf("what was written does not read back: %w", err)
	}
	return nil
}

// rewrite replaces a pack file by one without some of its objects. What is damaged in
// it is left behind; then the whole file is kept in quarantine/. pack.lock is held, so
// that no one else rewrites it. bad are the damaged ones.
func (s *Store) rewrite(p *packFile, drop map[ID]bool) (bad map[ID]error, err error) {
	bad = map[ID]error{}
	w, err := s.newPackFile(false)
	if err != nil {
		return bad, err
	}
	defer w.discard()
	err = s.readPack(p, func(r *packfile.Pack) error {
		return r.Each(func(e packfile.Entry, b []byte, err error) error {
			id := ID(e.ID)
			if drop[id] {
				return nil
			}
			if err != nil { // it is looked at twice, so that a flaw on the way from the disk does not cost it
				b, err = r.Read(e.ID)
			}
			switch {
			case isPackDamage(err):
				bad[id] = err
				return nil
			case err != nil:
				return err
			}
			return w.add(id, b, p.put(e))
		})
	})
	if err != nil {
		return bad, err
	}
	if len(w.want) > 0 {
		if err := w.publish(); err != nil {
			return bad, err
		}
	}
	return bad, s.retire(p, bad)
}

// retire takes a pack file away, all of whose sound objects are elsewhere or are to
// go. A damaged one is kept in quarantine/, where each object that it lost has a file
// that says so.
func (s *Store) retire(p *packFile, bad map[ID]error) error {
	if len(bad) == 0 && p.damage == nil {
		err := s.fs.Remove(s.packPath(p.name))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	dir := filepath.Join(s.root, "quarantine")
	if err := s.mkdirAll(dir); err != nil {
		return err
	}
	for id, why := range bad {
		if err := s.markLost(filepath.Join(dir, id.Hex()), p, why); err != nil {
			return err
		}
	}
	if err := s.fs.Rename(s.packPath(p.name), filepath.Join(dir, p.name)); err != nil {
		return err
	}
	return errors.Join(s.fs.SyncDir(dir), s.fs.SyncDir(filepath.Clean(s.packPath(""))))
}

// markLost is to quarantine/ what a damaged file of one object is. One that lies there
// already is worth more.
func (s *Store) markLost(path string, p *packFile, why error) error {
	f, err := s.fs.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text := bytes.NewBufferString("what is left of this object is in " + p.name + ": " + why.Error() + "\n")
	_, err = writeAt(f, text.Bytes(), 0)
	return err
}
