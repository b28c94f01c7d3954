package recovery

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cairn/internal/lockfile"
	"cairn/internal/streams"
	"cairn/manifest"
)

// orderInMemory bounds the bytes of a stream order that are kept in memory; a longer
// order is read back from its journal.
const orderInMemory = 1 << 20

// lockPatience bounds the wait for the lock of a journal that was just made. Another
// process that looks for captures which were cut short may hold the lock for some
// microseconds.
const lockPatience = 2 * time.Second

// Files are the functions that write, sync, link and remove journals and spools. Tests make each of them fail.
type Files struct {
	Write  func(f *os.File, p []byte) (int, error)
	Sync   func(f *os.File) error
	Link   func(old, new string) error
	Remove func(path string) error
}

// Journal holds what is needed to finish a capture whose process died: see the package
// comment. Add is for one goroutine; ReadAt and Size may be called beside it.
type Journal struct {
	files  Files
	file   *os.File
	path   string
	unlock func() error
	head   int64 // length of the first line
	linked bool  // the spool has a second name
	copied bool  // it holds a copy of the capture, on stable storage

	mu     sync.Mutex
	memory []byte // the order, until it is longer than orderInMemory
	size   int64  // bytes of the order
	spill  bool   // memory has no longer all of the order; the file has
	err    error  // the first write that failed; the file may end in a torn line
}

// Ending is the line that a journal gets when the command has ended.
type Ending struct {
	Exit       *int   `json:"exit,omitempty"`
	Signal     string `json:"signal,omitempty"`
	TimedOut   bool   `json:"timed_out,omitempty"`
	DurationMS int64  `json:"duration_ms"`
	Size       int64  `json:"size"`              // bytes of output in the spool
	Partial    bool   `json:"partial,omitempty"` // output is missing from the spool
	OpenPipes  bool   `json:"open_pipes,omitempty"`

	Artifacts []manifest.Artifact `json:"artifacts,omitempty"` // they are objects already
}

func journalDir(dir string) string { return filepath.Join(dir, "running") }

func journalPath(dir, id string) string { return filepath.Join(journalDir(dir), id) }

// spoolLink is the second name of a spool while it becomes an object.
func spoolLink(journal string) string { return journal + ".spool" }

// Begin creates the journal of a capture in the place with the directory dir.
func Begin(files Files, dir string, rec *manifest.Record) (*Journal, error) {
	line, err := encodeHead(rec)
	if err != nil {
		return nil, err
	}
	path := journalPath(dir, rec.ID)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(journalDir(dir), 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("beginning a capture in %s: %w", dir, err)
	}
	unlock, err := lockNew(f)
	if err == nil {
		_, err = files.Write(f, line)
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, fmt.Errorf("beginning a capture in %s: %w", dir, err)
	}
	return &Journal{files: files, file: f, path: path, unlock: unlock, head: int64(len(line))}, nil
}

// encodeHead is the first line of a journal. In plain text it would be found by every "grep -rn WORD ." in the repository, since it has
// the words of the command itself: the search would print it, and never exit with 1.
func encodeHead(rec *manifest.Record) ([]byte, error) {
	line, err := rec.Encode()
	return append(base64.StdEncoding.AppendEncode(nil, line), '\n'), err
}

// decodeHead returns the JSON of a first line; earlier versions wrote it in plain text.
func decodeHead(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	if plain, err := base64.StdEncoding.AppendDecode(nil, line); err == nil {
		return plain
	}
	return line
}

// lockNew locks a journal that was just made. Another process may hold the lock for a
// moment, to see whether the capture was cut short; it finds that the journal is new
// and releases it.
func lockNew(f *os.File) (unlock func() error, err error) {
	const nap = 100 * time.Microsecond
	for waited := time.Duration(0); ; waited += nap {
		unlock, taken, err := lockfile.Try(f)
		if taken || err != nil {
			return unlock, err
		}
		if waited >= lockPatience {
			return nil, fmt.Errorf("%s is locked by another process", f.Name())
		}
		time.Sleep(nap)
	}
}

// Add writes the order line of a run of bytes before the bytes are kept. After a failed
// write it writes no more to the file, because a line behind a torn line would be
// misread. The order stays in memory, so that the output can still be parsed.
func (j *Journal) Add(r streams.Run) error {
	line := r.Append(nil)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		if _, err := j.files.Write(j.file, line); err != nil {
			j.err = fmt.Errorf("writing the stream order to %s: %w", j.path, err)
		}
	}
	switch {
	case !j.spill && len(j.memory)+len(line) <= orderInMemory:
		j.memory = append(j.memory, line...)
	case j.err != nil:
		return j.err
	default:
		j.spill, j.memory = true, nil
	}
	j.size += int64(len(line))
	return j.err
}

// ReadAt reads the stream order, not the other lines of the journal.
func (j *Journal) ReadAt(p []byte, off int64) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if off >= j.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), j.size-off)]
	if !j.spill {
		return copy(p, j.memory[off:]), nil
	}
	return j.file.ReadAt(p, j.head+off)
}

// Size is the length of the order, in bytes.
func (j *Journal) Size() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// Ended writes how the command ended, and gives the spool a second name, in case this
// process dies while the spool becomes an object. It returns no error: as long as this
// process lives, an error loses nothing.
func (j *Journal) Ended(e Ending, spool string) {
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	if j.err != nil {
		line = append([]byte{'\n'}, line...) // ends the torn line
	}
	j.files.Write(j.file, append(line, '\n'))
	if e.Size > 0 {
		j.linked = j.files.Link(spool, spoolLink(j.path)) == nil
	}
}

// Copy writes the record and the output of an ended capture to the journal, and returns
// when both are on stable storage. After an error the journal holds no copy.
func (j *Journal) Copy(rec *manifest.Record, output []byte, stages ...[]byte) error {
	line, err := encodeCopy(rec, output, stages)
	switch {
	case err != nil:
		return err
	case j.err != nil:
		return j.err
	}
	if _, err = j.files.Write(j.file, line); err == nil {
		err = j.files.Sync(j.file)
	}
	if err != nil {
		j.err = fmt.Errorf("writing a copy of the capture to %s: %w", j.path, err)
		return j.err
	}
	j.copied = true
	return nil
}

// Close releases the lock. The journal of a recorded capture is removed; if that fails,
// the next capture sees the record and removes the journal. A journal with a copy moves
// to settleDir instead. The journal of a capture that is not recorded stays, and the
// next capture finishes it.
func (j *Journal) Close(recorded bool) {
	removed := !recorded
	switch {
	case recorded && j.copied:
		j.settles()
		removed = true
	case recorded:
		if j.linked {
			j.files.Remove(spoolLink(j.path))
		}
		removed = j.files.Remove(j.path) == nil
	}
	j.unlock()
	j.file.Close()
	if !removed { // some systems cannot remove an open file
		j.files.Remove(j.path)
	}
}
