package objects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// GCOptions say what may be removed. The zero values of MaxAge and MaxBytes set no limit.
type GCOptions struct {
	Now func() time.Time // the clock; time.Now if nil

	// Grace keeps every object put within this time, whatever the other options say.
	Grace time.Duration

	// InFlight, if set, returns the start of the oldest capture that has not written
	// its record yet; zero if none exists. Objects put since then are kept, since the
	// capture may be about to name them. It is called with the lock held, before Live.
	// See also Store.Hold.
	InFlight func() (time.Time, error)

	MaxAge   time.Duration // objects are removed if their newest capture is older
	MaxBytes int64         // the oldest objects are removed while all take more on disk
	DryRun   bool          // only plan and report

	// Live returns every object that a record names. It is called once, with the lock
	// held, so that no put comes in between. Required.
	Live func() (map[ID]Ref, error)

	LockWait time.Duration // how long to wait for the lock; 10 s if 0
}

// A Ref is what the records say about an object.
type Ref struct {
	Newest   time.Time // of the captures that name it
	Pinned   bool      // never collected
	Evidence bool      // the only evidence of a finding that still fails: never collected
	Captures []string  // captures that name it, for the report
}

// GCReport is what gc did, or with DryRun would do at the same instant.
type GCReport struct {
	DryRun       bool
	Deleted      []Deletion // in the order of deletion
	Temps        []string   // stale temporary files and empty spools removed
	Recompressed []Recompression

	Kept       int   // objects left
	KeptBytes  int64 // on disk, before recompression
	FreedBytes int64 // on disk, by Deleted
	OverBudget int64 // how far KeptBytes exceeds MaxBytes: all remaining objects are protected
	Protected  int   // objects over age or budget, but pinned, evidence or within grace
	Abandoned  int   // spools of dead processes with output to recover; gc leaves them
}

// A Deletion is a removed object and the reason.
type Deletion struct {
	ID       ID
	Size     int64 // uncompressed
	Stored   int64 // on disk
	Time     time.Time
	Why      string
	Captures []string
}

// A Recompression is an uncompressed object that was compressed. After is 0 in a dry
// run.
type Recompression struct {
	ID            ID
	Before, After int64 // bytes on disk
}

const gcLockWait = 10 * time.Second

// GC removes objects that no record names or that the limits do not allow, and
// compresses objects that were stored uncompressed because they came too fast. See
// GCOptions for what it keeps. If one object cannot be removed, the others are still
// removed and the error says so.
func (s *Store) GC(ctx context.Context, o GCOptions) (GCReport, error) {
	r := GCReport{DryRun: o.DryRun}
	if o.Live == nil {
		return r, errors.New("gc: no way to tell what is live")
	}
	if !s.exists() {
		return r, nil
	}
	if o.Now == nil {
		o.Now = s.now
	}
	o.LockWait = cmp.Or(o.LockWait, gcLockWait)
	if err := s.checkFormat(); err != nil {
		return r, fmt.Errorf("gc: %w", err)
	}
	unlock, err := s.lockPacks(o.LockWait) // so that no other process moves objects or rewrites pack files
	if err != nil {
		return r, fmt.Errorf("gc: %w", err)
	}
	defer unlock()
	bulky, drop, err := s.sweep(ctx, o, &r)
	if err = errors.Join(err, s.dropPacked(ctx, drop)); err != nil {
		return r, fmt.Errorf("gc: %w", err)
	}
	if err := s.recompress(ctx, o, bulky, &r); err != nil {
		return r, fmt.Errorf("gc: %w", err)
	}
	return r, nil
}

// sweep plans and deletes under the exclusive lock. It returns the objects that may be worth
// compressing, and the objects to be dropped from pack files. Dropping takes longer than
// captures should wait, and needs no lock, since no put relies on a pack file.
func (s *Store) sweep(ctx context.Context, o GCOptions, r *GCReport) (bulky []ID, drop map[*packFile]map[ID]bool, err error) {
	unlock, err := s.lock(true, o.LockWait)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	now := o.Now()
	since, err := s.inUseSince(o)
	if err != nil {
		return nil, nil, fmt.Errorf("find out what is in flight: %w", err)
	}
	live, err := o.Live()
	if err != nil {
		return nil, nil, fmt.Errorf("find out what is live: %w", err)
	}
	entries, err := s.entries(ctx)
	if err != nil {
		return nil, nil, err
	}
	bulky = plan(entries, live, o, now, since, r)
	if r.Temps, r.Abandoned, err = s.staleFiles(now, o.Grace); err != nil || o.DryRun {
		return bulky, nil, err
	}
	drop, err = s.deleteAll(ctx, r, now, entries)
	return bulky, drop, errors.Join(err, s.removeAll(r.Temps))
}

// clockGrain is how far a file system's times may be behind the clock.
const clockGrain = 2 * time.Second

// inUseSince is the start of the oldest capture in flight; zero if none exists. It must
// be called before the records are read: a capture that is no longer in flight by then
// has written its record.
func (s *Store) inUseSince(o GCOptions) (since time.Time, err error) {
	if o.InFlight != nil {
		if since, err = o.InFlight(); err != nil {
			return since, err
		}
	}
	held, err := s.heldSince()
	if err != nil {
		return since, err
	}
	if since.IsZero() || !held.IsZero() && held.Before(since) {
		since = held
	}
	if !since.IsZero() {
		since = since.Add(-clockGrain)
	}
	return since, nil
}

func (s *Store) entries(ctx context.Context) ([]entry, error) {
	var all []entry
	for id, err := range s.IDs() {
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return nil, err
		}
		e, err := s.entry(id)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// deleteAll removes objects, after writing their tombstones: an object may exist with a
// tombstone for a while, but must never be gone without one.
func (s *Store) deleteAll(ctx context.Context, r *GCReport, now time.Time, entries []entry) (drop map[*packFile]map[ID]bool, err error) {
	if len(r.Deleted) == 0 {
		return nil, nil
	}
	stones := make([]tombstone, len(r.Deleted))
	for i, d := range r.Deleted {
		stones[i] = tombstone{d.ID, now.UTC(), d.Why, d.Size}
	}
	if err := s.bury(stones); err != nil {
		return nil, fmt.Errorf("write tombstones (nothing was deleted): %w", err)
	}
	dead := make(map[ID]bool, len(stones))
	for _, t := range stones {
		dead[t.ID] = true
	}
	drop = map[*packFile]map[ID]bool{}
	var paths []string
	for _, e := range entries {
		if !dead[e.id] {
			continue
		}
		if e.loose {
			paths = append(paths, s.objectPath(e.id))
		}
		for _, p := range e.packs {
			if drop[p] == nil {
				drop[p] = map[ID]bool{}
			}
			drop[p][e.id] = true
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return drop, s.removeAll(paths)
}

// dropPacked removes objects from pack files. First it removes the pack files that are
// left without objects, which makes room for the others. The caller holds pack.lock.
func (s *Store) dropPacked(ctx context.Context, drop map[*packFile]map[ID]bool) error {
	var partly []*packFile
	var failed []error
	for p, ids := range drop {
		if len(ids) < len(p.index.Entries()) {
			partly = append(partly, p)
		} else if err := s.retire(p, nil); err != nil {
			failed = append(failed, err)
		}
	}
	for _, p := range partly {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		if _, err := s.rewrite(p, drop[p]); err != nil {
			failed = append(failed, fmt.Errorf("rewrite %s: %w", s.packPath(p.name), err))
		}
	}
	return errors.Join(failed...)
}

func (s *Store) removeAll(paths []string) error {
	var failed []error
	for _, p := range paths {
		if err := s.fs.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// staleFiles lists the temporary files of dead processes and their spools without
// output, and counts their spools with output. It skips a file so young that its writer
// may not have locked it yet.
func (s *Store) staleFiles(now time.Time, grace time.Duration) (paths []string, abandoned int, err error) {
	files, err := s.readIncoming()
	if err != nil {
		return nil, 0, err
	}
	const unlockedYet = time.Minute
	for _, f := range files {
		switch {
		case !f.temp && f.size > headerSize:
			if s.dead(f.name) {
				abandoned++
			}
		case now.Sub(f.mtime) > max(grace, unlockedYet) && s.dead(f.name):
			paths = append(paths, s.incoming(f.name))
		}
	}
	slices.Sort(paths)
	return paths, abandoned, nil
}
