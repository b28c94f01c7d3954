package recovery

import (
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

// orderInMemory bounds the part of a stream order that is kept at hand; a
// longer one is read back from its journal.
const orderInMemory = 1 << 20

// lockPatience bounds the wait for the lock of a journal that was just made. Another
// process that looks for captures which were cut short may hold the lock for a few
// microseconds.
const lockPatience = 2 * time.Second

// Files is how journals and spools are written to, synced, named and removed. Tests make each of it fail.
type Files struct {
	Write  func(f *os.File, p []byte) (int, error)
	Sync   func(f *os.File) error
	Link   func(old, new string) error
	Remove func(path string) error
}

// Journal is what is needed to finish a capture whose process died: see the
// package comment. Add is for one goroutine; ReadAt and Size are safe beside it.
type Journal struct {
	files  Files
	file   *os.File
	path   string
	unlock func() error
	head   int64 // length of the first line
	linked bool  // the spool has a second name
	copied bool  // it holds a Copy, on stable storage

	mu     sync.Mutex
	memory []byte // the order so far, until it outgrows orderInMemory
	size   int64  // of the order, bytes
	spill  bool   // memory is no longer complete, the file is
	err    error  // of the first write that failed; the file may end in a torn line
}

// Ending is the line that a journal gets when its command has ended.
type Ending struct {
	Exit       *int   `json:"exit,omitempty"`
	Signal     string `json:"signal,omitempty"`
	TimedOut   bool   `json:"timed_out,omitempty"`
	DurationMS int64  `json:"duration_ms"`
	Size       int64  `json:"size"`              // of the spool, bytes
	Partial    bool   `json:"partial,omitempty"` // output is missing from the spool
	OpenPipes  bool   `json:"open_pipes,omitempty"`

	Artifacts []manifest.Artifact `json:"artifacts,omitempty"` // objects already
}

func journalDir(dir string) string { return filepath.Join(dir, "running") }

func journalPath(dir, id string) string { return filepath.Join(journalDir(dir), id) }

// spoolLink is the second name of a spool while it is made an object.
func spoolLink(journal string) string { return journal + ".spool" }

// Begin begins the journal of a capture in the place whose directory dir is.
func Begin(files Files, dir string, rec *manifest.Record) (*Journal, error) {
	line, err := rec.Encode()
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
		_, err = files.Write(f, append(line, '\n'))
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, fmt.Errorf("beginning a capture in %s: %w", dir, err)
	}
	return &Journal{files: files, file: f, path: path, unlock: unlock, head: int64(len(line)) + 1}, nil
}

// lockNew locks a journal that was just made. Another process may hold the lock for a
// moment, to see whether the capture was cut short; it sees that the journal is new and
// lets go.
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

// Add writes the line of a run of bytes before these bytes are kept. After a failed write
// nothing more is written to the file, because a line behind a torn line would be
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

// ReadAt reads the order, not the whole journal.
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

// Ended notes how the command ended, and gives the spool a second name. Both are for the
// case that this process dies while it makes an object of the spool. So an error is not
// returned: nothing is lost by it as long as this process lives.
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

// Copy puts the record and the output of a capture that has ended into the journal, and
// returns when both are on stable storage. After an error it is as if there were none.
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

// Close gives up the lock. The journal of a recorded capture is removed; if that fails,
// the next capture sees the record and removes the journal. One with a Copy waits until
// record and output are settled. The journal of a capture that is not recorded stays, and
// the next capture finishes it.
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
	if !removed { // where an open file cannot be removed
		j.files.Remove(j.path)
	}
}
