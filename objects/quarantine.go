package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// condemn turns what was found wrong with an open object file into the error for
// the caller. Damage moves the file aside; a failure to read moves nothing;
// errRaced says that the file under the object's name is another one by now.
func (s *Store) condemn(id ID, f file, err error) error {
	var d *damage
	if !errors.As(err, &d) {
		return fmt.Errorf("read object %s: %w", id, err)
	}
	moved, err := s.moveAside(id, f)
	if errors.Is(err, errRaced) {
		return err
	}
	return &CorruptError{ID: id, Why: d.why, MovedTo: moved}
}

// moveAside renames a damaged object into quarantine/, if it is still the file
// that f is open on. The name is empty when that could not be done, as in a store
// that may only be read.
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
	// A copy that lies there already was replaced by a good one since; what matters
	// is the one found damaged now, and when.
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
