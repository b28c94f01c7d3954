package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// Sweep takes over captures of this place that wait where a sandboxed run had
// to leave them, and says how many there were. An object is here before the
// record that names it, and what waits is removed last: a sweep that is cut
// short is done again, and a record that is here already is not appended twice.
func Sweep(ctx context.Context, s *place.Site, env place.Env) (int, error) {
	dir := s.Waiting(env)
	if dir == s.Dir || !place.Private(dir) {
		return 0, nil
	}
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
	here := map[string]bool{}
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{}) {
		if err != nil {
			return 0, err
		}
		here[rec.ID] = true
	}
	store := objects.Open(dir)
	for rec, err := range manifest.Open(dir, manifest.Options{}).Records(ctx, manifest.Query{}) {
		if err != nil {
			return n, err
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

var objectName = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// takeObjects copies what a record names. What is not there was never kept.
func takeObjects(to, from *objects.Store, rec *manifest.Record) error {
	line, err := rec.Encode()
	if err != nil {
		return err
	}
	for _, name := range objectName.FindAllString(string(line), -1) {
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
