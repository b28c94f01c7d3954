package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// Sweep takes over captures of this place that wait where a sandboxed run, or one
// in a repository that could not be written to, had to leave them, and says how
// many there were. An object is here before the record that names it, and what
// waits is removed last: a sweep that is cut short is done again, and a record
// that is here already is not appended twice.
func Sweep(ctx context.Context, s *place.Site, env place.Env) (n int, err error) {
	if s.ReadOnly || env.Dir != "" && s.Home == nil {
		return 0, nil // what waits belongs elsewhere
	}
	dirs := s.Waiting(env)
	for _, dir := range dirs[slices.Index(dirs, s.Dir)+1:] {
		if place.Private(dir) {
			more, err2 := sweep(ctx, s, dir)
			n, err = n+more, errors.Join(err, err2)
		}
	}
	return n, err
}

// SweepAndTell is Sweep with what the user is told of it.
func SweepAndTell(ctx context.Context, s *place.Site, env place.Env) []string {
	switch n, err := Sweep(ctx, s, env); {
	case err != nil:
		return []string{err.Error()}
	case n > 0:
		return []string{fmt.Sprintf("took over captures that had waited elsewhere: %d", n)}
	}
	return nil
}

func sweep(ctx context.Context, s *place.Site, dir string) (int, error) {
	if !empty(filepath.Join(dir, "running")) {
		waiting := &place.Site{Place: &place.Place{Dir: dir, Workspace: s.Workspace, Rel: "."}, Objects: objects.Open(dir), Manifest: manifest.Open(dir, manifest.Options{})}
		if Settle(ctx, waiting, true); !empty(filepath.Join(dir, "running")) {
			return 0, nil // one is still running: it waits for the next question
		}
	}
	f, err := os.OpenFile(filepath.Join(dir, "sweep.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return 0, fmt.Errorf("taking over captures that wait in %s: %w", dir, err)
	}
	defer f.Close()
	unlock, ok, err := lockfile.Try(f)
	if err != nil || !ok {
		return 0, err
	}
	defer unlock()
	n, err := takeOver(ctx, s, dir)
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return n, fmt.Errorf("taking over captures that wait in %s: %w", dir, err)
	}
	return n, nil
}

func empty(dir string) bool {
	left, err := os.ReadDir(dir)
	return errors.Is(err, os.ErrNotExist) || err == nil && len(left) == 0
}

func takeOver(ctx context.Context, s *place.Site, dir string) (n int, err error) {
	store := objects.Open(dir)
	var here map[string]bool
	for rec, err := range manifest.Open(dir, manifest.Options{}).Records(ctx, manifest.Query{}) {
		if err != nil {
			return n, err
		}
		if here == nil { // the oldest that waits
			if here, err = idsSince(ctx, s.Manifest, rec.Time); err != nil {
				return n, err
			}
		}
		if here[rec.ID] {
			continue
		}
		if err := takeObjects(s.Objects, store, rec); err != nil {
			return n, err
		}
		if err := s.Manifest.Append(ctx, rec.Moved()); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func idsSince(ctx context.Context, m *manifest.Manifest, since time.Time) (map[string]bool, error) {
	ids := map[string]bool{}
	for rec, err := range m.Records(ctx, manifest.Query{Since: since, Facts: true}) {
		if err != nil {
			return nil, err
		}
		ids[rec.ID] = true
	}
	return ids, nil
}

var objectName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`sha256:[0-9a-f]{64}`) })

// takeObjects copies what a record names. What is not there was never kept.
func takeObjects(to, from *objects.Store, rec *manifest.Record) error {
	line, err := rec.Encode()
	if err != nil {
		return err
	}
	for _, name := range objectName().FindAllString(string(line), -1) {
		id, err := objects.ParseID(name)
		if err != nil || to.Has(id) || !from.Has(id) {
			continue
		}
		obj, err := from.OpenObject(id)
		if err != nil {
			return err
		}
		_, err = to.Put(io.NewSectionReader(obj, 0, obj.Size()))
		if err = errors.Join(err, obj.Close()); err != nil {
			return err
		}
	}
	return nil
}
