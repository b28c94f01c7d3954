package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/internal/streams"
	"cairn/manifest"
)

// newborn is how old a journal without its first line must be before it is
// taken for one that was left behind: it is made, locked and written within
// microseconds.
const newborn = time.Minute

// triedLine is added to a journal that could not be finished.
const triedLine = "tried\n"

// left is a journal whose owner is gone. Who has one has its lock.
type left struct {
	record *manifest.Record
	ending *ending // nil: the command had not ended
	head   int64   // where the stream order begins in the file
	order  int64   // its length
	tried  int     // how often finishing it failed
	path   string
	file   *os.File
	unlock func() error
}

// errBegins says that a journal has no first line, and may get one.
var errBegins = errors.New("it is just being made")

// journals lists the names of journals in dir, oldest first.
func journals(dir string) (names []string, err error) {
	entries, err := os.ReadDir(runningDir(dir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("looking for captures that were cut short: %w", err)
	}
	for _, e := range entries {
		if _, err := ulid.ParseStrict(e.Name()); err == nil && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// InFlight is when the oldest capture began that has a journal: it may be about to
// write the record that names its objects. Zero when there is none.
func InFlight(s *place.Site) (time.Time, error) {
	names, err := journals(s.Dir)
	if err != nil || len(names) == 0 {
		return time.Time{}, err
	}
	id, err := ulid.ParseStrict(names[0]) // they are in order of time
	return ulid.Time(id.Time()), err
}

// takeLeft opens the journal at path if its lock is free, and holds it. alive
// says that another process has it.
func takeLeft(path string) (l *left, alive bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("finishing a capture that was cut short: %w", err)
	}
	unlock, taken, err := lockfile.Try(f)
	if err != nil || !taken || !stillThere(f, path) {
		f.Close()
		return nil, err == nil && !taken, err
	}
	return &left{path: path, file: f, unlock: unlock}, false, nil
}

// stillThere: between opening and locking, another process may have finished
// the capture and removed its journal.
func stillThere(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}

func (l *left) id() string { return filepath.Base(l.path) }

// read takes the journal in. A line that does not end was not written.
func (l *left) read(now time.Time) error {
	in := bufio.NewReaderSize(l.file, manifest.MaxLine+1)
	first, err := in.ReadSlice('\n')
	switch {
	case err == io.EOF && l.age(now) < newborn:
		return errBegins
	case err != nil:
		return errors.New("its first line is not whole")
	}
	rec := new(manifest.Record)
	if err := json.Unmarshal(first, rec); err != nil || rec.ID != l.id() || rec.Time.Year() < 1970 {
		return errors.New("its first line is not the record it should be")
	}
	l.record, l.head = rec, int64(len(first))
	for ordered := true; ; {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil
		}
		ordered = ordered && l.takeOrder(line)
		if !ordered {
			l.takeLine(line)
		}
	}
}

// age is the time since the last write.
func (l *left) age(now time.Time) time.Duration {
	st, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return now.Sub(st.ModTime())
}

func (l *left) takeOrder(line []byte) bool {
	_, err := streams.Parse(line[:len(line)-1])
	if err == nil {
		l.order += int64(len(line))
	}
	return err == nil
}

func (l *left) takeLine(line []byte) {
	if bytes.Equal(line, []byte(triedLine)) {
		l.tried++
	}
	if e := new(ending); line[0] == '{' && json.Unmarshal(line, e) == nil {
		l.ending = e
	}
}

func (l *left) orderReader() *io.SectionReader { return io.NewSectionReader(l.file, l.head, l.order) }

// again notes that finishing failed.
func (l *left) again() {
	l.tried++
	l.file.WriteString(triedLine)
}

// done removes the journal of a capture that is recorded.
func (l *left) done(b *backend) {
	b.remove(spoolLink(l.path))
	err := b.remove(l.path)
	l.close()
	if err != nil { // where an open file cannot be removed
		b.remove(l.path)
	}
}

func (l *left) close() {
	l.unlock()
	l.file.Close()
}
