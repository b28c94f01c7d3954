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
	"strings"
	"sync"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// catchUpPatience bounds what a command still does after its answer. What it does
// not manage in that time is left to the next command.
const catchUpPatience = 10 * time.Second

// CatchUp does what can wait until the user has the answer: it finishes captures
// that were cut short, and brings their records into the branch. A signal ends it
// early; the next command then does the rest.
func (o *Outcome) CatchUp(ctx context.Context) (notes []string) {
	defer o.shield.lower()
	if o.site == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpPatience)
	defer cancel()
	defer o.shield.ends(cancel)()
	if o.cancel != nil {
		defer o.cancel()
		defer context.AfterFunc(ctx, o.cancel)() // git that hangs is not waited for
	}
	f := newFinisher(o.site, o.b)
	if f.Healthy = o.Trouble == nil; !f.Healthy && o.Record != nil {
		f.Except = o.Record.ID
	}
	if o.Trouble != nil {
		catchUp(ctx, o.site, f, o.helper(ctx))
		return nil // what is said of it is enough
	}
	notes = SweepAndTell(ctx, o.site, o.env)
	return append(notes, catchUp(ctx, o.site, f, o.helper(ctx))...)
}

// helper is Later, unless the configuration wants the branch to follow at once.
func (o *Outcome) helper(ctx context.Context) Later {
	if o.Later != nil && FoldsNow(ctx, o.site) {
		return nil
	}
	return o.Later
}

// CatchUp finishes captures that were cut short and brings all records that wait
// into the branch. Before a question it takes the time it needs, so that the answer
// is complete; otherwise no more than catchUpPatience. The notes are for the user;
// there are none when all is well.
func CatchUp(ctx context.Context, s *place.Site, question bool) (notes []string) {
	if !question {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, catchUpPatience)
		defer cancel()
	}
	return catchUp(ctx, s, newFinisher(s, newBackend(s)), nil)
}

// Later starts a process that brings into the branch what waits in a place: it
// calls Follow of the manifest with the lock.
type Later func(s *place.Site, lock *os.File) error

func catchUp(ctx context.Context, s *place.Site, f *recovery.Finisher, later Later) (notes []string) {
	if err := f.All(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	if f.Recorded > 0 {
		notes = append(notes, fmt.Sprintf("recorded what was read of earlier captures that had been cut short: %d (see: cairn recall objects --status unknown)", f.Recorded))
	}
	if s.Branch == nil {
		return append(notes, settle(ctx, f)...) // there is no branch to fold into, by choice or for want of git
	}
	report, err := fold(ctx, s, f, later)
	if err != nil {
		return append(notes, err.Error())
	}
	if report.Trouble {
		notes = append(notes, fmt.Sprintf("recorded, but not yet on the branch: %s", report.Why))
	}
	return notes
}

func settle(ctx context.Context, f *recovery.Finisher) (notes []string) {
	if err := f.Settle(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	return notes
}

// fold starts a process that settles and folds, if the caller has a way to start one.
// Otherwise that is done here.
func fold(ctx context.Context, s *place.Site, f *recovery.Finisher, later Later) (manifest.Report, error) {
	if later != nil {
		report, err := s.Manifest.FoldLater(func(lock *os.File) error { return later(s, lock) })
		if err == nil {
			return report, nil
		}
	}
	unsettled := f.Settle(ctx)
	report, err := s.Manifest.Fold(ctx, manifest.FoldOptions{Wait: true})
	return report, errors.Join(unsettled, err)
}

// FoldsNow says whether git config cairn.fold asks that every capture is on the
// branch when it ends.
func FoldsNow(ctx context.Context, s *place.Site) bool {
	if s == nil || s.Home == nil {
		return false
	}
	when, err := s.Home.Config(ctx, "cairn.fold")
	return err == nil && strings.EqualFold(when, "now")
}

// Sweep moves captures into this place that were kept elsewhere because the repository
// could not be written to at the time, as in a sandbox, and returns how many there were.
// Objects are copied before the record that names them, and the originals are removed
// last. So a sweep that is cut short can be done again; a record that is here already is
// not appended twice.
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
		if CatchUp(ctx, waiting, true); !empty(filepath.Join(dir, "running")) {
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

// takeObjects copies the objects that a record names. An object that is not there was
// never kept.
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
