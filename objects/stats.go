package objects

import (
	"errors"
	"os"
	"time"
)

// Stats sums up a store. Sizes are in bytes.
type Stats struct {
	Objects        int
	Size           int64 // of all objects, uncompressed
	Stored         int64 // of their files
	Zstd, Plain    int   // objects per codec
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
	if err == nil {
		e.size, e.codec, e.sound = h.size, h.codec, true
	}
	return e, nil
}
