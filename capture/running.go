package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// Running is a capture that another process is running.
type Running struct {
	Record *manifest.Record // as known at the start; complete after Follow has seen the end
	site   *place.Site
}

// InProgress lists the running captures of a place, newest first. Captures that were
// cut short are not included.
func InProgress(s *place.Site) ([]*Running, error) {
	ids, err := recovery.Names(s.Dir)
	var all []*Running
	for _, id := range slices.Backward(ids) {
		if rec := recovery.Begun(s.Dir, id); rec != nil {
			all = append(all, &Running{Record: rec, site: s})
		}
	}
	return all, err
}

// FindRunning finds the running capture whose run id begins with id: nil if none
// exists, an *ambiguous.Error if there are several.
func FindRunning(s *place.Site, id string) (*Running, error) {
	all, err := InProgress(s)
	all = slices.DeleteFunc(all, func(r *Running) bool { return !strings.HasPrefix(r.Record.ID, strings.ToUpper(id)) })
	switch {
	case len(all) == 0:
		return nil, err
	case len(all) == 1:
		return all[0], err
	}
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.Record.ID
	}
	return nil, ambiguous.New(id, ids)
}

// Size is how many bytes the capture has printed so far.
func (r *Running) Size() int64 {
	n, err := r.site.Objects.SpoolSize(r.Record.ID)
	if err != nil {
		return 0
	}
	return n
}

// followPause is how long Follow waits before it looks for more output.
const followPause = 50 * time.Millisecond

// Follow writes what the capture has printed and will print until it ends, both streams
// in the order in which they are read. If ctx ends, it returns without an error.
func (r *Running) Follow(ctx context.Context, w io.Writer) error {
	tick := time.NewTicker(followPause)
	defer tick.Stop()
	for at := int64(0); ; {
		goesOn := recovery.GoesOn(r.site.Dir, r.Record.ID) // called first: output before the end is read below
		n, err := r.copyFrom(w, at)
		if at += n; err != nil {
			return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
		}
		if !goesOn {
			return r.rest(ctx, w, at)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// copyFrom writes what the spool holds from offset at on. It opens the spool each time
// and closes it again: some systems cannot rename an open file, and a reader must not
// hold up the capture.
func (r *Running) copyFrom(w io.Writer, at int64) (int64, error) {
	for _, name := range []string{r.site.Objects.SpoolPath(r.Record.ID), recovery.SecondName(r.site.Dir, r.Record.ID)} {
		f, err := os.Open(name)
		if err != nil {
			continue // nothing is printed yet, or the spool has become an object
		}
		defer f.Close()
		all, err := objects.SpoolBytes(f)
		if err != nil || all.Size() <= at {
			return 0, err
		}
		return io.Copy(w, io.NewSectionReader(all, at, all.Size()-at))
	}
	return 0, nil
}

// ErrCutShort says that the process that ran a capture ended before the capture was
// recorded. The next question records what is left.
var ErrCutShort = errors.New("the capture was cut short")

// rest writes the output from offset at on, after the spool has become an object.
func (r *Running) rest(ctx context.Context, w io.Writer, at int64) error {
	err := r.recorded(ctx)
	if err != nil || r.Record.Raw == nil || r.Record.Raw.Size <= at {
		return err
	}
	id, err := objects.ParseID(r.Record.Raw.OID)
	if err != nil {
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	obj, err := r.site.Objects.OpenObject(id)
	if err != nil {
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	defer obj.Close()
	_, err = io.Copy(w, io.NewSectionReader(obj, at, obj.Size()-at))
	return err
}

// recorded replaces the record by the final one.
func (r *Running) recorded(ctx context.Context) error {
	rec, err := r.site.Manifest.Find(ctx, r.Record.ID)
	switch {
	case errors.Is(err, manifest.ErrNotFound):
		return fmt.Errorf("following capture %s: %w", r.Record.ID, ErrCutShort)
	case err != nil:
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	r.Record = rec
	return nil
}
