package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"cairn/internal/lockfile"
	"cairn/internal/streams"
	"cairn/manifest"
)

// orderInMemory bounds the part of a stream order that is kept at hand; a
// longer one is read back from its journal.
const orderInMemory = 1 << 20

// journal is what is needed to finish a capture whose process died.
type journal struct {
	file   *os.File
	path   string
	unlock func() error
	head   int64 // length of the first line

	mu     sync.Mutex
	memory []byte // the order so far, until it outgrows orderInMemory
	size   int64  // of the order, bytes
	spill  bool   // memory is no longer complete
}

func runningDir(dir string) string { return filepath.Join(dir, "running") }

// openJournal begins the journal of a capture.
func openJournal(dir string, rec *manifest.Record) (*journal, error) {
	line, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(runningDir(dir), rec.ID)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(runningDir(dir), 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("beginning a capture in %s: %w", dir, err)
	}
	unlock, taken, err := lockfile.Try(f)
	if err == nil && !taken {
		err = fmt.Errorf("%s is locked by another process", path)
	}
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, fmt.Errorf("beginning a capture in %s: %w", dir, err)
	}
	return &journal{file: f, path: path, unlock: unlock, head: int64(len(line)) + 1}, nil
}

// add writes the line of a run before its bytes are kept.
func (j *journal) add(r streams.Run) error {
	line := r.Append(nil)
	_, err := j.file.Write(line)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil && j.spill { // nothing more can be known of the order
		return fmt.Errorf("writing the stream order to %s: %w", j.path, err)
	}
	j.size += int64(len(line))
	if j.spill = j.spill || len(j.memory)+len(line) > orderInMemory; j.spill {
		j.memory = nil
	} else {
		j.memory = append(j.memory, line...)
	}
	if err != nil {
		return fmt.Errorf("writing the stream order to %s: %w", j.path, err)
	}
	return nil
}

// ReadAt reads the order, not the whole journal.
func (j *journal) ReadAt(p []byte, off int64) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.spill {
		if off >= int64(len(j.memory)) {
			return 0, io.EOF
		}
		n := copy(p, j.memory[off:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	return j.file.ReadAt(p, j.head+off)
}

// Size is the length of the order, in bytes.
func (j *journal) Size() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// end lets go of the journal. One whose capture was recorded is removed; any
// other is left for the next capture to finish.
func (j *journal) end(recorded bool) (err error) {
	if recorded {
		err = os.Remove(j.path)
	}
	j.unlock()
	j.file.Close()
	return err
}

// left is a journal whose owner is gone.
type left struct {
	record *manifest.Record
	order  []byte // complete lines only
	path   string
	file   *os.File
	unlock func() error
}

// abandoned opens the journals in dir whose lock is free, and holds it. alive
// is how many others there are: captures in flight.
func abandoned(dir string) (found []*left, alive int, err error) {
	entries, err := os.ReadDir(runningDir(dir))
	if os.IsNotExist(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("looking for captures that were cut short: %w", err)
	}
	for _, e := range entries {
		if l := openLeft(filepath.Join(runningDir(dir), e.Name())); l != nil {
			found = append(found, l)
		} else {
			alive++
		}
	}
	return found, alive, nil
}

// openLeft gives nil for a journal that is still owned or already finished.
func openLeft(path string) *left {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	unlock, taken, err := lockfile.Try(f)
	if err != nil || !taken || !stillThere(f, path) {
		f.Close()
		return nil
	}
	l := &left{path: path, file: f, unlock: unlock}
	l.read()
	return l
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

// read takes the record and the order; a journal torn in its first line says
// nothing, and its record stays nil.
func (l *left) read() {
	lines := bufio.NewReader(l.file)
	first, err := lines.ReadBytes('\n')
	if err != nil {
		return
	}
	rec := new(manifest.Record)
	if json.Unmarshal(bytes.TrimSpace(first), rec) != nil {
		return
	}
	rest, _ := io.ReadAll(lines)
	l.record = rec
	l.order = rest[:bytes.LastIndexByte(rest, '\n')+1]
}

func (l *left) remove() {
	os.Remove(l.path)
	l.close()
}

func (l *left) close() {
	l.unlock()
	l.file.Close()
}
