package objects

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"cairn/objects/packfile"
)

const (
	// packLeast is the fewest objects for which a pack file is written.
	packLeast = 8

	// packMost is the size in bytes at which a pack file is ended, since gc may have to rewrite it.
	packMost = 64 << 20

	// unlinkAtOnce is how many files are removed before the lock is released for captures.
	unlinkAtOnce = 1000
)

// gathered is an object that is being moved into a pack file, with its own file's state when it was read.
type gathered struct {
	id ID
	st fs.FileInfo
}

// gatherer moves small objects into pack files.
type gatherer struct {
	*packer
	w     *packWriter
	moved []gathered  // objects in w that had a file of their own
	also  []*packFile // pack files whose objects are in w, too
}

// gather moves old small objects into pack files: the objects of each series side by
// side, then those of no series, such as stream orders.
func (p *packer) gather(ctx context.Context) error {
	view, err := p.s.lookAtPacks()
	if err != nil {
		return err
	}
	all, err := p.small(ctx, view)
	if err != nil || len(all) < packLeast {
		return err
	}
	g := &gatherer{packer: p}
	defer func() { g.discard() }()
	for _, e := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.o.Most > 0 && p.read >= p.o.Most {
			p.r.Unfinished = true
			break
		}
		if err := g.one(e); err != nil {
			return err
		}
	}
	if err := g.join(ctx, view); err != nil {
		return err
	}
	return g.finish()
}

// small lists the objects to move, in the order in which they are written.
func (p *packer) small(ctx context.Context, view *packView) (all []entry, err error) {
	entries, err := p.s.entries(ctx)
	if err != nil {
		return nil, err
	}
	at := map[ID]entry{}
	for _, e := range entries {
		young := !p.before.IsZero() && !e.mtime.Before(p.before)
		if e.sound && e.loose && !young && !p.needed[e.id] && e.size > 0 && e.size <= packfile.MaxObject {
			at[e.id] = e
		}
	}
	for _, series := range p.o.Series {
		for _, id := range series {
			if e, ok := at[id]; ok {
				all = append(all, e)
				delete(at, id)
			}
		}
	}
	rest := len(all)
	for _, e := range at {
		all = append(all, e)
	}
	slices.SortFunc(all[rest:], func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.size, b.size), compareIDs(a.id, b.id)) // objects of equal size are often alike
	})
	return all, nil
}

// one adds an object. It skips an object that cannot be read, which fsck reports.
func (g *gatherer) one(e entry) error {
	f, err := g.s.open(e.id)
	if err != nil {
		return skipAbsent(err)
	}
	st, err := f.Stat()
	f.Close()
	if err != nil {
		return err
	}
	o, err := g.s.openOnce(e.id)
	var bad *CorruptError
	if errors.As(err, &bad) || errors.Is(err, errRaced) {
		return nil
	}
	if err != nil {
		return skipAbsent(err)
	}
	defer o.Close()
	is, err := o.f.Stat()
	if err != nil || !same(st, is) {
		return err
	}
	b := make([]byte, o.Size())
	if _, err := o.ReadAt(b, 0); err != nil {
		return err
	}
	g.read += o.Size()
	if g.w == nil {
		if g.w, err = g.s.newPackFile(g.o.DryRun); err != nil {
			return err
		}
	}
	if err := g.w.add(e.id, b, st.ModTime()); err != nil {
		return err
	}
	g.moved = append(g.moved, gathered{e.id, st})
	if g.w.full() {
		return g.finish()
	}
	return nil
}

func skipAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// join merges into the new pack file those that have no more objects than it, the smallest
// first, so that the number of pack files grows with the logarithm of their objects.
func (g *gatherer) join(ctx context.Context, view *packView) error {
	if g.w == nil || len(g.moved) < packLeast || g.o.DryRun {
		return nil
	}
	files := slices.Clone(view.files)
	slices.SortFunc(files, func(a, b *packFile) int { return cmp.Compare(len(a.index.Entries()), len(b.index.Entries())) })
	for _, p := range files {
		n := len(p.index.Entries())
		if n > len(g.w.want) || n+len(g.w.want) > packfile.MaxObjects || g.w.off+p.size > packMost || ctx.Err() != nil {
			return ctx.Err()
		}
		sound := p.damage == nil
		err := g.s.readPack(p, func(r *packfile.Pack) error {
			return r.Each(func(e packfile.Entry, b []byte, err error) error {
				if err != nil {
					sound = false // the pack file stays until fsck has reported it
					return nil
				}
				return g.w.add(ID(e.ID), b, p.put(e))
			})
		})
		if err != nil {
			return err
		}
		if sound {
			g.also = append(g.also, p)
		}
	}
	return nil
}

// finish ends a pack file and removes the files whose objects are in it now.
func (g *gatherer) finish() error {
	if g.w == nil || len(g.moved) < packLeast {
		return nil
	}
	defer g.discard()
	if err := g.w.publish(); err != nil {
		return err
	}
	g.r.Files++
	g.r.After += g.w.off
	for _, p := range g.also {
		g.r.Before += p.size
	}
	for _, m := range g.moved {
		g.r.Packed, g.r.InFiles, g.r.Before = g.r.Packed+1, g.r.InFiles+1, g.r.Before+m.st.Size()
		delete(g.codecs, m.id)
	}
	if g.o.DryRun {
		return nil
	}
	for all := range slices.Chunk(g.moved, unlinkAtOnce) {
		if err := g.unlink(all); err != nil {
			return err
		}
	}
	for _, p := range g.also {
		if err := g.s.retire(p, nil); err != nil {
			return err
		}
	}
	return nil
}

// unlink removes the files that have not changed since they were read. No put can begin to rely on such
// a file while the lock is held: an earlier put has changed its time, a later one makes a new file.
func (g *gatherer) unlink(all []gathered) error {
	unlock, err := g.s.lock(true, g.wait)
	if err != nil {
		return err
	}
	defer unlock()
	var paths []string
	for _, m := range all {
		is, err := g.s.fs.Stat(g.s.objectPath(m.id))
		if err == nil && same(m.st, is) {
			paths = append(paths, g.s.objectPath(m.id))
		}
	}
	return g.s.removeAll(paths)
}

// same reports whether two states are of the same file, which was neither written to nor put again.
func same(was, is fs.FileInfo) bool {
	return os.SameFile(was, is) && was.Size() == is.Size() && was.ModTime().Equal(is.ModTime())
}

func (g *gatherer) discard() {
	if g.w != nil {
		g.w.discard()
	}
	g.w, g.moved, g.also = nil, nil, nil
}

// Limits for Together: many small objects at once are put into one pack file, which takes one wait for the disk
// instead of one for each file.
const (
	TogetherLeast = packLeast          // the fewest objects
	TogetherMost  = packfile.MaxObject // the most bytes of an object
)

// Together is a pack file that is being written. It is for one goroutine.
type Together struct{ w *packWriter }

// Together begins to put objects into one pack file.
func (s *Store) Together() (*Together, error) {
	w, err := s.newPackFile(false)
	if err != nil {
		return nil, err
	}
	return &Together{w}, nil
}

// Put adds an object of 1 to TogetherMost bytes. Only Commit puts it into the store.
func (t *Together) Put(id ID, b []byte) error {
	if IDOf(b) != id {
		return ErrOther
	}
	return t.w.add(id, b, t.w.s.now())
}

// Commit makes the objects durable and adds them to the store.
func (t *Together) Commit() error {
	defer t.w.discard()
	if len(t.w.want) == 0 {
		return nil
	}
	return t.w.publish()
}

// Discard removes what was not committed.
func (t *Together) Discard() { t.w.discard() }
