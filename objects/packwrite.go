package objects

import (
	"bytes"
	"context"
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

// Objects are compressed together in groups of at least groupLeast bytes, or for larger
// objects of groupOf objects: a reader of one object unpacks its whole group.
const (
	groupLeast = 64 << 10
	groupOf    = 16
)

func groupSize(next int) int { return min(max(groupLeast, groupOf*next), packfile.MaxGroup) }

// packWriter writes one pack file; in a dry run it only counts. The caller holds pack.lock.
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

// discard removes the file; after publish it does nothing.
func (w *packWriter) discard() {
	if w.tmp != nil {
		w.s.discard(w.tmp)
	}
}

// full reports whether the file should take no more objects.
func (w *packWriter) full() bool { return len(w.want) == packfile.MaxObjects || w.off >= packMost }

// add adds an object; id must be that of its bytes.
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
// then on it may hold the only copy of its objects.
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

// check opens the written file by its name, reads it, and compares every object with
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

// rewrite replaces a pack file by one without the objects in drop. If it has damaged
// objects (bad), they are left out and the old file is kept in quarantine/. The caller
// holds pack.lock, so that no other process rewrites the file.
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
			if err != nil { // read again, in case only the read failed
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

// retire removes a pack file whose sound objects are elsewhere or are to be dropped. A
// damaged file is moved to quarantine/, and each object that it lost gets a file there
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

// markLost puts a note on a lost object into quarantine/, where the damaged file of an
// object would be. If there is such a file already, it stays, since it is worth more.
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

// emptyPacks gives every object of a pack file a file of its own again and removes the
// pack files. It removes a pack file only if all of its objects were read.
func (p *packer) emptyPacks(ctx context.Context) error {
	view, err := p.s.lookAtPacks()
	if err != nil {
		return err
	}
	failed := []error{view.unread}
	for _, file := range view.files {
		if err := p.emptyPack(ctx, file); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.s.packPath(file.name), err))
		}
	}
	return errors.Join(failed...)
}

func (p *packer) emptyPack(ctx context.Context, file *packFile) error {
	bad, after := map[ID]error{}, int64(0)
	err := p.s.readPack(file, func(r *packfile.Pack) error {
		return r.Each(func(e packfile.Entry, b []byte, err error) error {
			if err != nil {
				b, err = r.Read(e.ID) // again, in case only the read failed
			}
			if isPackDamage(err) {
				bad[ID(e.ID)] = err
				return nil
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			n, err := p.s.takeOut(ID(e.ID), b, file.put(e))
			after += n
			return err
		})
	})
	if err != nil {
		return err
	}
	if err := p.s.retire(file, bad); err != nil {
		return err
	}
	n := len(file.index.Entries()) - len(bad)
	p.r.Packed, p.r.InFiles, p.r.Files = p.r.Packed+n, p.r.InFiles+n, p.r.Files+1
	p.r.Before, p.r.After = p.r.Before+file.size, p.r.After+after
	if len(bad) > 0 {
		return fmt.Errorf("%d of its objects are damaged; fsck names them", len(bad))
	}
	return nil
}

// takeOut gives an object a file of its own, unless it has a sound one, and returns the
// length of the new file.
func (s *Store) takeOut(id ID, b []byte, put time.Time) (int64, error) {
	d := newDigest()
	d.add(b)
	h, data := encodeSmall(d, b)
	for range tries {
		tmp, err := s.createTemp()
		if err != nil {
			return 0, err
		}
		err = s.publishOut(tmp, id, h, data, put)
		s.discard(tmp) // does nothing after the rename
		if !errors.Is(err, fs.ErrExist) {
			return h.stored + headerSize, err
		}
		_, err = s.verifyObject(id) // moves a damaged file away
		var bad *CorruptError
		switch {
		case err == nil:
			return 0, s.fs.SyncDir(s.objectDir(id)) // the file's writer may not have synced it yet
		case errors.As(err, &bad) && bad.MovedTo == "" || !errors.As(err, &bad) && !isAbsent(err):
			return 0, err
		}
	}
	return 0, fmt.Errorf("object %s: %w", id, errRaced)
}

// fill writes an object to a file of its own, and reads it again.
func (s *Store) fill(tmp *pending, id ID, h header, data []byte) error {
	if _, err := writeAt(tmp.file, data, headerSize); err != nil {
		return err
	}
	if err := tmp.seal(h); err != nil {
		return err
	}
	_, _, _, _, err := s.verify(tmp.file, id, false)
	return err
}

func (s *Store) publishOut(tmp *pending, id ID, h header, data []byte, put time.Time) error {
	if err := s.fill(tmp, id, h, data); err != nil {
		return err
	}
	if closeBeforeRename {
		tmp.Close()
	}
	if err := s.fs.Chtimes(tmp.path, put); err != nil {
		return err
	}
	if err := s.rename(tmp, id); err != nil {
		return err
	}
	return s.fs.SyncDir(s.objectDir(id))
}
