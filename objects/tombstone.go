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

// tombstone is one line of tombstones.jsonl. Of several for one object the last
// one holds.
type tombstone struct {
	ID   ID        `json:"id"`
	When time.Time `json:"when"` // UTC
	Why  string    `json:"why"`
	Size int64     `json:"size"` // of the object, bytes
}

func (s *Store) tombstonePath() string { return filepath.Join(s.root, "tombstones.jsonl") }

// tombstones reads them all. It is called only when an object is missed: 100,000
// lines are 16 MB and a third of a second.
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
		if json.Unmarshal(line, &t) == nil && !t.ID.IsZero() { // else torn by a crash
			stones[t.ID] = t
		}
	}
	return stones, nil
}

// bury appends tombstones and makes them durable. The caller holds the lock
// exclusively and removes the objects only afterwards.
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

// endsTorn reports whether the last line lacks its end.
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
