package objects

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"cairn/objects/packfile"
)

// packChecker reads the pack files for Fsck.
type packChecker struct {
	s    *Store
	r    *Report
	live map[ID][]string
	seen map[ID]bool // objects with a sound copy
	done map[*packFile]bool
	lost map[ID]*CorruptError // objects that are damaged in a pack file
	hurt []*packFile
}

// checkPacks reads every pack file. Meanwhile another process may rewrite a pack file or move
// its objects to files, so it lists the pack files again until there is no new one.
func (r *Report) checkPacks(ctx context.Context, s *Store, live map[ID][]string, seen map[ID]bool) error {
	c := packChecker{s, r, live, seen, map[*packFile]bool{}, map[ID]*CorruptError{}, nil}
	for range tries {
		view, err := s.lookAtPacks()
		if err != nil {
			return err
		}
		more := false
		for _, p := range view.files {
			if c.done[p] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			c.done[p], more = true, true
			c.check(p)
		}
		if more {
			continue
		}
		if view.unread != nil {
			r.Packs = append(r.Packs, PackDamage{Path: s.packPath(""), Why: view.unread.Error()})
		}
		break
	}
	c.report()
	return r.strayPacks(s)
}

// check reads one pack file.
func (c *packChecker) check(p *packFile) {
	bad := p.damage
	err := c.s.readPack(p, func(r *packfile.Pack) error {
		return r.Each(func(e packfile.Entry, _ []byte, err error) error {
			id := ID(e.ID)
			if err != nil {
				bad, c.lost[id] = err, &CorruptError{ID: id, Why: err.Error(), In: c.s.packPath(p.name)}
			} else if _, named := c.live[id]; !c.seen[id] {
				c.r.sound(id, e.Size, named, c.seen)
			}
			return nil
		})
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		for _, e := range p.index.Entries() {
			if id := ID(e.ID); !c.seen[id] {
				c.r.checkOne(c.s, id, c.live, c.seen)
			}
		}
	case err != nil:
		c.r.Packs = append(c.r.Packs, PackDamage{Path: c.s.packPath(p.name), Why: err.Error()})
	case bad != nil:
		c.r.Packs = append(c.r.Packs, PackDamage{Path: c.s.packPath(p.name), Why: bad.Error()})
		c.hurt = append(c.hurt, p)
	}
}

// report reports the lost objects, and writes the sound ones of damaged pack files anew.
func (c *packChecker) report() {
	for id, bad := range c.lost {
		if c.seen[id] {
			continue
		}
		c.r.Corrupt = append(c.r.Corrupt, Finding{ID: id, Why: bad.Why + " (" + bad.In + ")", Captures: c.live[id]})
		for i := range c.r.Packs {
			if c.r.Packs[i].Path == bad.In {
				c.r.Packs[i].Lost++
			}
		}
	}
	for _, p := range c.hurt {
		to := c.s.salvage(p)
		for i := range c.r.Packs {
			if to != "" && c.r.Packs[i].Path == c.s.packPath(p.name) {
				c.r.Packs[i].MovedTo = to
			}
		}
	}
}

// salvage writes the sound objects of a damaged pack file anew and returns where the
// damaged file lies then; "" if that cannot be done now, as in a read-only store.
func (s *Store) salvage(p *packFile) string {
	unlock, err := s.lockPacks(0)
	if err != nil {
		return ""
	}
	defer unlock()
	if bad, err := s.rewrite(p, nil); err != nil || len(bad) == 0 && p.damage == nil {
		return ""
	}
	return filepath.Join(s.root, "quarantine", p.name)
}

// strayPacks lists files in packs/ that are not pack files.
func (r *Report) strayPacks(s *Store) error {
	entries, err := s.fs.ReadDir(s.packPath(""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), packSuffix) {
			r.Strays = append(r.Strays, s.packPath(e.Name()))
		}
	}
	return err
}
