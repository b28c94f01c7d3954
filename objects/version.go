package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// storeFormat is the newest store format that this program knows: a store of format 1
// has only object files, of format 2 also pack files.
const storeFormat = 2

// ErrNewer says that a newer cairn wrote to the store in a format that this one does
// not know. This one may put and read objects there, but judges and removes nothing.
var ErrNewer = errors.New("the store was written to by a newer cairn, which has to do this")

func (s *Store) formatPath() string { return filepath.Join(s.root, "format") }

// checkFormat must be called before anything is moved, removed or called missing. An empty
// format file was left by a process that died before it wrote anything of its format.
func (s *Store) checkFormat() error {
	n, err := s.readFormat()
	if err == nil && n > storeFormat {
		err = fmt.Errorf("%w: %s says format %d, and this program knows up to %d", ErrNewer, s.formatPath(), n, storeFormat)
	}
	return err
}

func (s *Store) readFormat() (int, error) {
	f, err := s.fs.OpenFile(s.formatPath(), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	text := make([]byte, min(st.Size(), 64))
	if err := readFull(f, text, 0); err != nil {
		return 0, err
	}
	if len(text) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < 1 {
		return storeFormat + 1, nil // any unreadable value counts as a newer format
	}
	return n, nil
}

// raiseFormat raises the store's format before the first pack file is written.
func (s *Store) raiseFormat() error {
	n, err := s.readFormat()
	if err != nil || n >= storeFormat {
		return err
	}
	f, err := s.fs.OpenFile(s.formatPath(), os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := writeAt(f, fmt.Appendln(nil, storeFormat), 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return s.fs.SyncDir(s.root)
}
