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
	"time"
)

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
