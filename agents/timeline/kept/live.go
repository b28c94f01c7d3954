package kept

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cairn/agents/timeline"
	"cairn/internal/lockfile"
	"cairn/internal/place"
)

// Run is a timeline that is being written.
type Run struct {
	site *place.Site
	id   string
	file *os.File
}

// line is one line of a file.
type line struct {
	Head *timeline.Details `json:"head,omitempty"`
	N    int               `json:"n,omitempty"`
	Step *timeline.Entry   `json:"step,omitempty"`
}

// isID says whether s can be an id, which is used as a file name and must not be a path.
func isID(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case (c == '_' || c == '-') && i > 0:
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func dirOf(s *place.Site) string { return filepath.Join(s.Dir, "timelines") }

// Begin opens the file of a new timeline. Timelines whose process is gone are recorded first.
func Begin(ctx context.Context, s *place.Site, id string) (*Run, error) {
	if !isID(id) {
		return nil, fmt.Errorf("%q is no id of a timeline", id)
	}
	sweep(ctx, s)
	dir := dirOf(s)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keeping timeline %s: %w", id, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, id+".jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keeping timeline %s: %w", id, err)
	}
	if _, _, err := lockfile.Try(f); err != nil {
		return nil, errors.Join(fmt.Errorf("locking timeline %s: %w", id, err), f.Close())
	}
	return &Run{s, id, f}, nil
}

// Write appends the head of a timeline and the steps with these numbers.
func (r *Run) Write(t *timeline.Timeline, steps []int) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	head := t.Head()
	if err := enc.Encode(line{Head: &head}); err != nil {
		return err
	}
	all := t.Entries(0)
	for _, n := range steps {
		if err := enc.Encode(line{N: n, Step: &all[n]}); err != nil {
			return err
		}
	}
	_, err := r.file.Write(b.Bytes())
	return err
}

// drop removes the file of a timeline that has been recorded.
func (r *Run) drop() error {
	err := os.Remove(r.file.Name()) // before it is unlocked: then another process may lock it
	return errors.Join(err, r.file.Close())
}

// End puts the timeline, which has ended, on the record. The file stays if that fails.
func (r *Run) End(ctx context.Context, t *timeline.Timeline) (oid string, err error) {
	doc, err := timeline.Document(t.Head(), t.Entries(0))
	if err != nil {
		return "", err
	}
	err = r.Write(t, t.Changed())
	oid, recordErr := record(ctx, r.site, t.Head(), doc)
	if recordErr != nil {
		return "", errors.Join(err, recordErr, r.file.Close())
	}
	return oid, errors.Join(err, r.drop())
}

// read returns the content of a file.
func read(path string) (*Whole, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := &Whole{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		switch {
		case l.Head != nil:
			w.Head = *l.Head
		case l.Step != nil && l.N >= 0 && l.N < len(w.Steps):
			w.Steps[l.N] = *l.Step
		case l.Step != nil && l.N == len(w.Steps):
			w.Steps = append(w.Steps, *l.Step)
		}
	}
	w.Head.AgentID = cmp.Or(w.Head.AgentID, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	return w, lines.Err()
}

// live are the timelines that have a file, by path. If no process holds the file, the status is stopped.
func live(s *place.Site) (map[string]*Whole, error) {
	paths, err := filepath.Glob(filepath.Join(dirOf(s), "*.jsonl"))
	if err != nil {
		return nil, err
	}
	all := map[string]*Whole{}
	for _, path := range paths {
		held, err := isHeld(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		w, readErr := read(path)
		if errors.Is(readErr, fs.ErrNotExist) { // the timeline has just ended
			continue
		}
		if err := errors.Join(err, readErr); err != nil {
			return nil, fmt.Errorf("reading a timeline: %w", err)
		}
		if !held && !w.Head.Status.Over() {
			w.Head.Status, w.Head.Activity, w.Head.Live = timeline.Stopped, "", nil
			w.Head.Error = "its process is gone, and did not say how it ended"
		}
		w.held = held
		all[path] = w
	}
	return all, nil
}

// isHeld says whether a process is writing the file.
func isHeld(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	unlock, free, err := lockfile.TryShared(f)
	if err != nil || !free {
		return true, err
	}
	return false, unlock()
}

// sweep records the timelines whose process is gone. On an error they are left for the next time: their files can still
// be read.
func sweep(ctx context.Context, s *place.Site) {
	all, err := live(s)
	if err != nil {
		return
	}
	for path, w := range all {
		if !w.held && w.Head.Began != 0 { // a file without a head has just been created
			recordLeft(ctx, s, path, w)
		}
	}
}

func recordLeft(ctx context.Context, s *place.Site, path string, w *Whole) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if _, free, err := lockfile.Try(f); err != nil || !free { // another process does it
		return
	}
	doc, err := timeline.Document(w.Head, w.Steps)
	if err != nil {
		return
	}
	if _, err := record(ctx, s, w.Head, doc); err == nil {
		os.Remove(path)
	}
}
