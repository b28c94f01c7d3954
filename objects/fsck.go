package objects

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Report is what Fsck found. Every list is in order.
type Report struct {
	Checked int   // objects read from end to end
	Bytes   int64 // of them, uncompressed

	Corrupt []Finding // damaged; moved to quarantine/, now or before
	Missing []Finding // named by a capture, neither here nor collected
	Failed  []Finding // could not be read: nothing is known, nothing was moved
	Gone    []Finding // named by a capture, collected by gc; no error

	Orphans   []ID       // sound, but no capture names them; gc removes them in time
	Leftovers []Leftover // output of runs whose cairn died; recoverable
	Temps     []string   // temporary files of dead processes; gc removes them
	Strays    []string   // files that cairn did not put there
}

// A Finding is an object with which something is wrong.
type Finding struct {
	ID       ID
	Why      string
	MovedTo  string   // of a damaged one
	Captures []string // those that name it, as given to Fsck
}

// OK reports whether every byte that a capture names, and every other in the
// store, comes back or was collected on purpose.
func (r Report) OK() bool {
	return len(r.Corrupt)+len(r.Missing)+len(r.Failed) == 0
}

// Fsck reads every object and verifies it, and compares the store with live: the
// objects that captures name, and which. A damaged object is moved aside. The
// error is of the check itself, such as ctx's; what was found by then is in the
// report.
func (s *Store) Fsck(ctx context.Context, live map[ID][]string) (Report, error) {
	r := Report{}
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
			r.checkOne(s, id, live)
		}
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

func (r *Report) checkOne(s *Store, id ID, live map[ID][]string) {
	size, err := s.verifyObject(id)
	captures, named := live[id]
	var bad *CorruptError
	switch {
	case errors.As(err, &bad):
		r.Corrupt = append(r.Corrupt, Finding{id, bad.Why, bad.MovedTo, captures})
		return
	case isAbsent(err):
		return // collected meanwhile, or, if named, found missing below
	case err != nil:
		r.Failed = append(r.Failed, Finding{ID: id, Why: err.Error(), Captures: captures})
		return
	}
	r.Checked++
	r.Bytes += size
	if !named {
		r.Orphans = append(r.Orphans, id)
	}
}

// verifyObject is OpenObject for one who does not want the bytes.
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

// checkLive looks for what captures name and the store does not hold.
func (r *Report) checkLive(s *Store, live map[ID][]string) error {
	ids := make([]ID, 0, len(live))
	for id := range live {
		ids = append(ids, id)
	}
	stones, err := s.tombstones()
	if err != nil {
		return err
	}
	for _, id := range sortedIDs(ids) {
		if s.Has(id) || r.reported(id) {
			continue
		}
		var bad *CorruptError
		var gone *GoneError
		switch err := s.absence(id, stones); {
		case errors.As(err, &bad):
			r.Corrupt = append(r.Corrupt, Finding{id, bad.Why, bad.MovedTo, live[id]})
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
	Objects        int
	Size           int64 // of all objects, uncompressed
	Stored         int64 // of their files
	Zstd, Plain    int   // objects per codec
	Packed         int
	Oldest, Newest time.Time
	Unreadable     int // objects whose header does not read; fsck says more
	InFlight       int // spools with a living writer
	Abandoned      int // spools with output whose writer died
	AbandonedSize  int64
	Temps          int // temporary files of dead processes; gc removes them
	TempSize       int64
	Quarantined    int // damaged files moved aside
	Gone           int // objects collected and not stored again
}

// Stats reads every header, and no data. It changes nothing.
func (s *Store) Stats() (Stats, error) {
	var st Stats
	for id, err := range s.IDs() {
		if err != nil {
			return st, err
		}
		if err := st.count(s, id); err != nil {
			return st, err
		}
	}
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
		if !s.Has(id) {
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

// entry is an object as its file and its header tell, unverified and untouched.
type entry struct {
	id     ID
	stored int64 // of the file
	size   int64 // of the object; 0 if not sound
	mtime  time.Time
	codec  codec
	base   ID   // that it is packed against
	sound  bool // the header reads and fits the file
}

func (s *Store) entry(id ID) (entry, error) {
	f, err := s.fs.OpenFile(s.objectPath(id), os.O_RDONLY, 0)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return entry{}, err
	}
	e := entry{id: id, stored: st.Size(), mtime: st.ModTime()}
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
