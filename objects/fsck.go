package objects

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"cairn/objects/packfile"
)

// Report is what Fsck found. Every list is in order.
type Report struct {
	Checked int   // objects read from end to end
	Bytes   int64 // their uncompressed size

	Corrupt []Finding // damaged; moved to quarantine/, now or before
	Missing []Finding // named by a capture, but neither here nor collected
	Failed  []Finding // could not be read; they may be sound and were not moved
	Gone    []Finding // named by a capture, but collected by gc, which is no error

	Packs []PackDamage // damaged pack files, even if no object was lost

	Orphans   []ID       // sound, but no capture names them; gc removes them in time
	Leftovers []Leftover // output of runs whose cairn died; recoverable
	Temps     []string   // temporary files of dead processes; gc removes them
	Strays    []string   // files that cairn did not put there
}

// A Finding is an object with which something is wrong.
type Finding struct {
	ID       ID
	Why      string
	MovedTo  string   // where a damaged file lies now
	Captures []string // captures that name it, as given to Fsck
}

// PackDamage is a damaged pack file. If possible, Fsck wrote its sound objects anew and
// moved the file to quarantine/.
type PackDamage struct {
	Path, Why string
	Lost      int    // objects that have no sound copy in the file
	MovedTo   string // "" if it stays where it is
}

// OK reports whether every object that is named or stored can be read or was collected
// on purpose.
func (r Report) OK() bool { return len(r.Corrupt)+len(r.Missing)+len(r.Failed)+len(r.Packs) == 0 }

// Fsck reads and verifies every object, and compares the store with live, which maps
// each named object to the captures that name it. A damaged object is moved aside. An
// error means that the check itself ended early, for example because of ctx; the report
// has the results so far.
func (s *Store) Fsck(ctx context.Context, live map[ID][]string) (Report, error) {
	r := Report{}
	if err := s.checkFormat(); err != nil {
		return r, fmt.Errorf("fsck: %w", err)
	}
	seen := map[ID]bool{} // sound objects
	for i := range 256 {
		ids, strays, err := s.fanOut(byte(i))
		if err != nil {
			return r, fmt.Errorf("fsck: %w", err)
		}
		r.Strays = append(r.Strays, strays...)
		for _, id := range ids {
			if err := ctx.Err(); err != nil {
				return r, fmt.Errorf("fsck: %w", err)
			}
			r.checkOne(s, id, live, seen)
		}
	}
	if err := r.checkPacks(ctx, s, live, seen); err != nil {
		return r, fmt.Errorf("fsck: %w", err)
	}
	if err := r.checkLive(s, live); err != nil {
		return r, fmt.Errorf("fsck: %w", err)
	}
	if err := r.checkIncoming(s); err != nil {
		return r, fmt.Errorf("fsck: %w", err)
	}
	slices.SortFunc(r.Corrupt, func(a, b Finding) int { return compareIDs(a.ID, b.ID) })
	return r, nil
}

func (r *Report) checkOne(s *Store, id ID, live map[ID][]string, seen map[ID]bool) {
	size, err := s.verifyObject(id)
	captures, named := live[id]
	var bad *CorruptError
	switch {
	case errors.As(err, &bad):
		r.Corrupt = append(r.Corrupt, Finding{id, bad.Why, bad.MovedTo, captures})
		return
	case errors.Is(err, os.ErrNotExist):
		return // packed or collected meanwhile; if a capture names it, checkLive finds it missing
	case err != nil:
		r.Failed = append(r.Failed, Finding{ID: id, Why: err.Error(), Captures: captures})
		return
	}
	r.sound(id, size, named, seen)
}

func (r *Report) sound(id ID, size int64, named bool, seen map[ID]bool) {
	seen[id] = true
	r.Checked++
	r.Bytes += size
	if !named {
		r.Orphans = append(r.Orphans, id)
	}
}

// verifyObject reads an object that is a file of its own.
func (s *Store) verifyObject(id ID) (size int64, err error) {
	for range 3 {
		f, err := s.open(id)
		if err != nil {
			return 0, err
		}
		h, _, _, _, err := s.verify(f, id, false)
		if err != nil {
			err = s.condemn(id, f, err)
		}
		f.Close()
		if !errors.Is(err, errRaced) {
			return h.size, err
		}
	}
	return 0, errRaced
}

// checkLive adds to Missing and Gone the objects that captures name and the store does not have.
func (r *Report) checkLive(s *Store, live map[ID][]string) error {
	ids := make([]ID, 0, len(live))
	for id := range live {
		ids = append(ids, id)
	}
	stones, err := s.tombstones()
	if err != nil {
		return err
	}
	view, err := s.lookAtPacks()
	if err != nil {
		return err
	}
	for _, id := range sortedIDs(ids) {
		if s.Has(id) || r.reported(id) {
			continue
		}
		var bad *CorruptError
		var gone *GoneError
		switch err := s.absence(id, stones, view); {
		case errors.As(err, &bad):
			r.Corrupt = append(r.Corrupt, Finding{id, bad.Why, bad.MovedTo, live[id]})
		case view.unread != nil:
			r.Failed = append(r.Failed, Finding{ID: id, Why: err.Error(), Captures: live[id]})
		case errors.As(err, &gone):
			r.Gone = append(r.Gone, Finding{ID: id, Why: err.Error(), Captures: live[id]})
		default:
			r.Missing = append(r.Missing, Finding{ID: id, Why: "the file is missing", Captures: live[id]})
		}
	}
	return nil
}

func (r *Report) reported(id ID) bool {
	return slices.ContainsFunc(r.Corrupt, func(f Finding) bool { return f.ID == id })
}

func (r *Report) checkIncoming(s *Store) (err error) {
	if r.Leftovers, err = s.Abandoned(); err != nil {
		return err
	}
	files, err := s.readIncoming()
	for _, f := range files {
		if f.temp && s.dead(f.name) {
			r.Temps = append(r.Temps, s.incoming(f.name))
		}
	}
	return err
}

func isAbsent(err error) bool {
	var gone *GoneError
	return errors.Is(err, ErrNotFound) || errors.As(err, &gone) || errors.Is(err, os.ErrNotExist)
}

// Stats sums up a store. Sizes are in bytes.
type Stats struct {
	Objects        int       `json:"objects"`
	Size           int64     `json:"bytes"`        // of all objects, uncompressed
	Stored         int64     `json:"stored_bytes"` // of their files
	Zstd           int       `json:"compressed"`   // objects with codec zstd
	Plain          int       `json:"-"`            // objects with codec none
	Packed         int       `json:"packed"`
	InPacks        int       `json:"in_pack_files"` // objects that have no file of their own
	PackFiles      int       `json:"pack_files"`
	Oldest, Newest time.Time `json:"-"`
	Unreadable     int       `json:"-"`         // objects whose header is damaged; fsck says more
	InFlight       int       `json:"in_flight"` // spools with a living writer
	Abandoned      int       `json:"abandoned"` // spools with output whose writer died
	AbandonedSize  int64     `json:"-"`
	Temps          int       `json:"temporary"` // temporary files of dead processes; gc removes them
	TempSize       int64     `json:"temporary_bytes"`
	Quarantined    int       `json:"quarantined"` // damaged files moved aside
	Gone           int       `json:"collected"`   // objects collected and not stored again
}

// Stats reads every header but no data. It changes nothing.
func (s *Store) Stats() (Stats, error) {
	var st Stats
	here := map[ID]bool{}
	for id, err := range s.IDs() {
		if err != nil {
			return st, err
		}
		if err := st.count(s, id); err != nil {
			return st, err
		}
		here[id] = true
	}
	st.PackFiles = len(s.packView().files)
	if err := st.countSpools(s); err != nil {
		return st, err
	}
	damaged, err := s.quarantinedIDs()
	if err != nil {
		return st, err
	}
	st.Quarantined = len(damaged)
	stones, err := s.tombstones()
	for id := range stones {
		if !here[id] {
			st.Gone++
		}
	}
	return st, err
}

func (st *Stats) count(s *Store, id ID) error {
	e, err := s.entry(id)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // collected meanwhile
	case err != nil:
		return err
	}
	st.Objects++
	st.Stored += e.stored
	if st.Oldest.IsZero() || e.mtime.Before(st.Oldest) {
		st.Oldest = e.mtime
	}
	if e.mtime.After(st.Newest) {
		st.Newest = e.mtime
	}
	switch {
	case !e.sound:
		st.Unreadable++
		return nil
	case !e.loose:
		st.InPacks++
	case e.codec == codecZstd:
		st.Zstd++
	case e.codec == codecPack:
		st.Packed++
	default:
		st.Plain++
	}
	st.Size += e.size
	return nil
}

func (st *Stats) countSpools(s *Store) error {
	files, err := s.readIncoming()
	if err != nil {
		return err
	}
	for _, f := range files {
		switch {
		case f.temp:
			if s.dead(f.name) {
				st.Temps++
				st.TempSize += f.size
			}
		case !s.dead(f.name):
			st.InFlight++
		case f.size > headerSize:
			st.Abandoned++
			st.AbandonedSize += f.size - headerSize
		}
	}
	return nil
}

// entry is an object according to its file and its header, which are not verified.
type entry struct {
	id     ID
	stored int64 // of the file, and its share of pack files
	size   int64 // of the object; 0 if sound is false
	mtime  time.Time
	codec  codec
	base   ID   // the object that it is packed against
	sound  bool // the header reads and fits the file
	loose  bool // it has a file of its own
	packs  []*packFile
}

// entry combines all copies of an object. The error is fs.ErrNotExist if none exists.
func (s *Store) entry(id ID) (e entry, err error) {
	loose := func() error {
		e, err = s.looseEntry(id)
		return err
	}
	if err := s.look(id, loose, func(p *packFile, _ packfile.Entry) error { return s.standing(p) }); err != nil {
		return entry{}, err
	}
	for _, p := range s.packView().files {
		in, ok := p.find(id)
		if !ok {
			continue
		}
		e.id, e.packs, e.stored = id, append(e.packs, p), e.stored+p.index.Stored(in)
		if put := p.put(in); put.After(e.mtime) {
			e.mtime = put
		}
		if !e.sound {
			e.size, e.sound = in.Size, true
		}
	}
	return e, nil
}

func (s *Store) looseEntry(id ID) (entry, error) {
	f, err := s.open(id)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return entry{}, err
	}
	e := entry{id: id, stored: st.Size(), mtime: st.ModTime(), loose: true}
	h, err := readHeader(f, st.Size())
	if err != nil && !isDamage(err) {
		return entry{}, err
	}
	if err == nil && h.codec == codecPack {
		e.base, err = readBase(f)
	}
	if err == nil {
		e.size, e.codec, e.sound = h.size, h.codec, true
	}
	return e, nil
}
