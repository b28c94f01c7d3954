package recovery

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/lockfile"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// newborn is how old a journal without its first line must be to count as left behind.
// A process makes, locks and writes a journal within microseconds, so a younger one may
// be just being made.
const newborn = time.Minute

// Left is what is left of a capture whose process is gone. A process that has a Left
// holds the lock of its journal.
type Left struct {
	Record *manifest.Record // the record as it was known at the start
	Ending *Ending          // nil: the command had not ended
	Output objects.Info     // the object that its output has become
	// Lost says why there is no Output. The capture is then recorded without output.
	Lost error

	copy   *leftCopy // the whole capture; nil if the journal has no copy
	spoilt bool      // the copy cannot be read
	head   int64     // offset of the stream order in the file
	order  int64     // bytes of the stream order
	runs   int       // number of runs in the stream order
	path   string
	file   *os.File
	unlock func() error
}

// leftCopy is a whole capture from its journal.
type leftCopy struct {
	record *manifest.Record
	line   []byte // the record's line
	output []byte
	stages [][]byte
}

// Order is the stream order, as far as it was written.
func (l *Left) Order() *io.SectionReader { return io.NewSectionReader(l.file, l.head, l.order) }

// Complete says whether the command had ended and all of its output was kept.
func (l *Left) Complete() bool {
	return l.Lost == nil && l.Ending != nil && !l.Ending.Partial && l.Ending.Size == l.Output.Size
}

// errBegins says that a journal has no first line yet, and is too young to count as left behind.
var errBegins = errors.New("it is just being made")

// Names lists the run ids that have a journal in a place, oldest first.
func Names(dir string) ([]string, error) { return names(journalDir(dir)) }

func names(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
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

// InFlight is when the oldest capture that has a journal began; zero if none exists.
// Such a capture may be about to write the record that names its objects.
func InFlight(dir string) (time.Time, error) {
	names, err := Names(dir)
	if err != nil || len(names) == 0 {
		return time.Time{}, err
	}
	id, err := ulid.ParseStrict(names[0]) // names are in order of time
	return ulid.Time(id.Time()), err
}

// Begun is the record, as known at the start, of a capture that another process is
// running. It is nil if that process has ended, or has not written its first line yet.
func Begun(dir, id string) *manifest.Record {
	f, err := os.Open(journalPath(dir, id))
	if err != nil {
		return nil
	}
	defer f.Close()
	if !held(f) {
		return nil
	}
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return nil // just being made
	}
	rec, err := manifest.Decode(decodeHead(line))
	if err != nil || rec.ID != id {
		return nil
	}
	return rec
}

// GoesOn says whether a capture is still running.
func GoesOn(dir, id string) bool {
	f, err := os.Open(journalPath(dir, id))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	return held(f)
}

// held says whether another process has the lock of a journal.
func held(f *os.File) bool {
	unlock, taken, err := lockfile.TryShared(f)
	if taken {
		unlock()
	}
	return err == nil && !taken
}

// SecondName is the second name of a capture's spool, while it becomes an object.
func SecondName(dir, id string) string { return spoolLink(journalPath(dir, id)) }

// takeLeft opens and locks the journal at path if its lock is free. alive says that
// another process holds the lock.
func takeLeft(path string) (l *Left, alive bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("finishing a capture that was cut short: %w", err)
	}
	unlock, taken, err := lockfile.Try(f)
	if err != nil || !taken || !lockfile.IsAt(f, path) {
		f.Close()
		return nil, err == nil && !taken, err
	}
	return &Left{path: path, file: f, unlock: unlock}, false, nil
}

// there says whether the journal still exists under its name.
func (l *Left) there() bool { return lockfile.IsAt(l.file, l.path) }

func (l *Left) id() string { return filepath.Base(l.path) }

// read reads the journal. A last line without a newline was cut off, and is ignored.
func (l *Left) read(now time.Time) error {
	in := bufio.NewReaderSize(l.file, base64.StdEncoding.EncodedLen(manifest.MaxLine)+1)
	first, err := in.ReadSlice('\n')
	switch {
	case err == io.EOF && l.age(now) < newborn:
		return errBegins
	case err != nil:
		return errors.New("its first line is not whole")
	}
	rec := new(manifest.Record)
	if err := json.Unmarshal(decodeHead(first), rec); err != nil || rec.ID != l.id() || rec.Time.Year() < 1970 {
		if l.takeLines(in); l.copy == nil {
			return errors.New("its first line is not the record it should be")
		}
		rec = l.copy.record
	}
	l.Record, l.head = rec, int64(len(first))
	l.takeLines(in)
	return nil
}

// takeLines reads all lines after the first.
func (l *Left) takeLines(in *bufio.Reader) {
	for ordered := true; ; {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		ordered = ordered && l.takeOrder(line)
		if !ordered {
			l.takeLine(line)
		}
	}
}

// age is the time since the last write.
func (l *Left) age(now time.Time) time.Duration {
	st, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return now.Sub(st.ModTime())
}

func (l *Left) size() int64 {
	st, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return st.Size()
}

func (l *Left) takeOrder(line []byte) bool {
	_, err := streams.Parse(line[:len(line)-1])
	if err == nil {
		l.order += int64(len(line))
		l.runs++
	}
	return err == nil
}

func (l *Left) takeLine(line []byte) {
	var e struct {
		Ending
		Size *int64 `json:"size"` // every ENDING has it
	}
	switch {
	case bytes.HasPrefix(line, []byte(copyStart)):
		l.takeCopy(line)
	case line[0] == '{' && json.Unmarshal(line, &e) == nil && e.Size != nil:
		e.Ending.Size = *e.Size
		l.Ending = &e.Ending
	}
}

func (l *Left) takeCopy(line []byte) {
	c := new(copied)
	err := json.Unmarshal(line, c)
	if err == nil {
		var rec *manifest.Record
		if rec, err = manifest.Decode(c.Record); err == nil && rec.ID == l.id() {
			l.copy = &leftCopy{rec, c.Record, c.Output, c.Stages}
		}
	}
	l.spoilt = l.copy == nil
}

// done removes the journal of a capture that is recorded.
func (l *Left) done(files Files) {
	files.Remove(spoolLink(l.path))
	err := files.Remove(l.path)
	l.close()
	if err != nil { // some systems cannot remove an open file
		files.Remove(l.path)
	}
}

// close releases the journal. It may be called twice.
func (l *Left) close() {
	if l.unlock == nil {
		return
	}
	l.unlock()
	l.file.Close()
	l.unlock = nil
}
