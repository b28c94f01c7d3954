package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// candidate is an object and what the records say about it.
type candidate struct {
	entry
	ref       Ref
	time      time.Time // from which its age counts
	protected bool
	why       string // why it is removed; "" if it stays
	spared    bool   // it would be removed if it were not protected
	carries   bool   // others are packed against it
}

// plan fills in the report with the objects to remove, and returns the remaining ones
// that are big and uncompressed. It depends only on its arguments, so that a dry run
// and a real run at the same instant agree.
func plan(entries []entry, live map[ID]Ref, o GCOptions, now, since time.Time, r *GCReport) (bulky []ID) {
	all := judge(entries, live, o, now, since)
	squeeze(all, o.MaxBytes)
	r.OverBudget = uphold(all, o.MaxBytes)
	for _, c := range all {
		if c.spared {
			r.Protected++
		}
		if c.why != "" {
			r.Deleted = append(r.Deleted, Deletion{c.id, c.size, c.stored, c.time, c.why, c.ref.Captures})
			r.FreedBytes += c.stored
			continue
		}
		r.Kept++
		r.KeptBytes += c.stored
		if c.sound && c.codec == codecNone && c.size > smallMax {
			bulky = append(bulky, c.id)
		}
	}
	return bulky
}

// judge judges each object by itself; an object put since a capture in flight began is
// protected. The result is in order of age, oldest first, so that deletions come in
// that order too.
func judge(entries []entry, live map[ID]Ref, o GCOptions, now, since time.Time) []candidate {
	all, carried := make([]candidate, len(entries)), carry(entries, live)
	for i, e := range entries {
		ref, named := live[e.id]
		if by, ok := carried[e.id]; ok {
			all[i].carries = true
			ref, named = by, true
		}
		c := candidate{entry: e, ref: ref, time: e.mtime, carries: all[i].carries}
		if named && !ref.Newest.IsZero() {
			c.time = ref.Newest
		}
		inUse := !since.IsZero() && !e.mtime.Before(since)
		c.protected = ref.Pinned || ref.Evidence || inUse || now.Sub(e.mtime) <= o.Grace
		switch {
		case !named && c.protected: // new, and not an orphan yet
		case !named:
			c.why = "no capture names it"
		case o.MaxAge > 0 && now.Sub(c.time) > o.MaxAge:
			c.condemn(fmt.Sprintf("older than %v", o.MaxAge))
		}
		all[i] = c
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if d := a.time.Compare(b.time); d != 0 {
			return d
		}
		if a.carries != b.carries { // objects that are packed against another are removed before it
			return map[bool]int{true: 1, false: -1}[a.carries]
		}
		return compareIDs(a.id, b.id)
	})
	return all
}

// condemn marks the object for removal, or, if it is protected, as spared.
func (c *candidate) condemn(why string) {
	if c.protected {
		c.spared = true
	} else {
		c.why = why
	}
}

// carry joins, for each base, what the records say about it and about the objects
// packed against it, since a base is needed as long as any of them is.
func carry(entries []entry, live map[ID]Ref) map[ID]Ref {
	carried := map[ID]Ref{}
	for _, e := range entries {
		ref, named := live[e.id]
		if e.codec != codecPack || !named {
			continue
		}
		by, ok := carried[e.base]
		if !ok {
			by = live[e.base]
		}
		if ref.Newest.After(by.Newest) {
			by.Newest = ref.Newest
		}
		by.Pinned, by.Evidence = by.Pinned || ref.Pinned, by.Evidence || ref.Evidence
		carried[e.base] = by
	}
	return carried
}

// uphold keeps the bases of the objects that stay, and returns how far the rest is over
// the budget, in bytes.
func uphold(all []candidate, most int64) (over int64) {
	needed := map[ID]bool{}
	for _, c := range all {
		if c.why == "" && c.codec == codecPack {
			needed[c.base] = true
		}
	}
	total := int64(0)
	for i := range all {
		if c := &all[i]; c.why != "" && needed[c.id] {
			c.why, c.spared = "", true
		}
		if all[i].why == "" {
			total += all[i].stored
		}
	}
	if most <= 0 {
		return 0
	}
	return max(0, total-most)
}

// squeeze condemns the oldest objects until the rest fits the budget.
func squeeze(all []candidate, most int64) {
	if most <= 0 {
		return
	}
	total := int64(0)
	for _, c := range all {
		if c.why == "" {
			total += c.stored
		}
	}
	for i := range all {
		c := &all[i]
		if total <= most {
			break
		}
		if c.why != "" {
			continue
		}
		if c.condemn(fmt.Sprintf("over the budget of %d bytes", most)); c.why != "" {
			total -= c.stored
		}
	}
}

// tombstone is one line of tombstones.jsonl. If an object has several, the last one
// counts.
type tombstone struct {
	ID   ID        `json:"id"`
	When time.Time `json:"when"` // UTC
	Why  string    `json:"why"`
	Size int64     `json:"size"` // of the object, bytes
}

func (s *Store) tombstonePath() string { return filepath.Join(s.root, "tombstones.jsonl") }

// tombstones reads all tombstones. It is called only when an object is missing: 100,000
// lines are 16 MB and take a third of a second.
func (s *Store) tombstones() (map[ID]tombstone, error) {
	f, err := s.fs.OpenFile(s.tombstonePath(), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, st.Size())
	if n, err := f.ReadAt(text, 0); n < len(text) {
		return nil, fmt.Errorf("read %s: %w", s.tombstonePath(), err)
	}
	stones := make(map[ID]tombstone)
	for line := range bytes.Lines(text) {
		var t tombstone
		if json.Unmarshal(line, &t) == nil && !t.ID.IsZero() { // otherwise a crash tore the line
			stones[t.ID] = t
		}
	}
	return stones, nil
}

// bury appends tombstones and makes them durable. The caller holds the lock exclusively
// and removes the objects only afterwards.
func (s *Store) bury(stones []tombstone) error {
	f, err := s.fs.OpenFile(s.tombstonePath(), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if torn, err := endsTorn(f, st.Size()); err != nil {
		return err
	} else if torn {
		text.WriteByte('\n')
	}
	for _, t := range stones {
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	if _, err := writeAt(f, text.Bytes(), st.Size()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return s.fs.SyncDir(s.root)
}

// endsTorn reports whether the last line has no newline.
func endsTorn(f io.ReaderAt, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	if n, err := f.ReadAt(last[:], size-1); n < 1 {
		return false, err
	}
	return last[0] != '\n', nil
}

// condemn turns err, which reading an open object file met, into the error for the
// caller. If the file is damaged, it is moved to quarantine/; if it could not be read,
// nothing is moved. errRaced says that another file has the object's name by now.
func (s *Store) condemn(id ID, f file, err error) error {
	var d *damage
	if bad := new(CorruptError); errors.As(err, &bad) {
		return bad // another object is damaged, without which this one cannot be read
	}
	if !errors.As(err, &d) {
		return fmt.Errorf("read object %s: %w", id, err)
	}
	moved, err := s.moveAside(id, f)
	if errors.Is(err, errRaced) {
		return err
	}
	return &CorruptError{ID: id, Why: d.why, MovedTo: moved}
}

// moveAside renames a damaged object into quarantine/, if it is still the file that f
// is open on. The name is "" if that could not be done, as in a read-only store.
func (s *Store) moveAside(id ID, f file) (string, error) {
	unlock, err := s.lock(true, s.wait)
	if err != nil {
		return "", err
	}
	defer unlock()
	was, err := f.Stat()
	if err != nil {
		return "", err
	}
	if err := s.checkFormat(); err != nil {
		return "", err // to a newer format the file may be sound
	}
	is, err := s.fs.Stat(s.objectPath(id))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(was, is) {
		return "", errRaced
	}
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.root, "quarantine")
	if err := s.mkdirAll(dir); err != nil {
		return "", err
	}
	// A copy that is there already was replaced by a good one later, so the newly
	// damaged copy takes its place.
	to := filepath.Join(dir, id.Hex())
	if err := s.fs.Rename(s.objectPath(id), to); err != nil {
		return "", err
	}
	if err := s.fs.Chtimes(to, s.now()); err != nil {
		return to, err
	}
	return to, s.fs.SyncDir(dir)
}

// quarantined names the damaged copy of an object, if there is one, and says when
// it was found.
func (s *Store) quarantined(id ID) (name string, when time.Time) {
	name = filepath.Join(s.root, "quarantine", id.Hex())
	st, err := s.fs.Stat(name)
	if err != nil {
		return "", time.Time{}
	}
	return name, st.ModTime()
}
