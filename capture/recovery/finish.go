package recovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/guard"
	"cairn/manifest"
	"cairn/objects"
)

// Finisher records captures whose processes died.
type Finisher struct {
	Dir      string // of the place, with the journals
	Objects  *objects.Store
	Manifest *manifest.Manifest
	Files    Files
	Put      func(io.Reader) (objects.Info, error) // puts an object into Objects
	Recover  func(objects.Leftover) (objects.Info, error)
	Now      func() time.Time
	// Record makes the record of a capture from what is left of it, and appends it.
	Record func(context.Context, *Left) error

	Healthy bool   // this process has just written a record, so a journal that cannot be finished is itself damaged
	Except  string // run id of this process's own failed capture, which a later command finishes

	Recorded int // captures recorded so far
	Alive    int // journals whose lock another process holds
}

// All finishes the captures of all journals, one at a time.
func (f *Finisher) All(ctx context.Context) error {
	names, err := Names(f.Dir)
	for _, name := range names {
		if name == f.Except {
			continue
		}
		l, alive, lerr := takeLeft(journalPath(f.Dir, name))
		if alive {
			f.Alive++
		}
		if l != nil {
			lerr = f.finish(ctx, l)
		}
		err = errors.Join(err, lerr)
	}
	return err
}

// finish records one capture, unless it is recorded, and removes its journal. If that
// panics, the capture is given up, so that it is not tried again.
func (f *Finisher) finish(ctx context.Context, l *Left) (err error) {
	defer l.close()
	broken := guard.Do("finishing it", func() { err = f.try(ctx, l) })
	if err = cmp.Or(broken, err); err == nil || err == errBegins || err == errRemoved {
		return nil
	}
	if aside := new(setAsideError); errors.As(err, &aside) {
		return err
	}
	err = fmt.Errorf("finishing capture %s, which was cut short: %w", l.id(), err)
	if ctx.Err() != nil || errors.Is(err, objects.ErrBusy) {
		return err
	}
	return f.giveUp(ctx, l, err, broken != nil || f.Healthy)
}

// try is finish without handling panics and most errors.
func (f *Finisher) try(ctx context.Context, l *Left) error {
	err := l.read(f.Now())
	switch {
	case err == errBegins:
		return err
	case err != nil:
		return f.discard(l, err)
	}
	err = f.record(ctx, l)
	if bad := (damage)(""); errors.As(err, &bad) {
		if err = f.settleDamaged(ctx, l, bad); err == errSetAside {
			return f.setAside(l, fmt.Errorf("the journal %s is damaged: %w", l.path, bad))
		}
	}
	if err == nil {
		f.dropSpool(l)
		l.done(f.Files)
	}
	return err
}

func (f *Finisher) record(ctx context.Context, l *Left) error {
	switch {
	case l.copy != nil:
		return f.settle(ctx, l)
	case f.lacksCopy(l):
		return damage("the copy of the capture in it cannot be read")
	}
	return f.recordOnce(ctx, l)
}

// errRemoved says that a journal was removed while it was being finished, usually
// together with the repository. There may be another repository in its place now.
var errRemoved = errors.New("the journal was removed")

// recordOnce records a capture, unless the manifest has its record.
func (f *Finisher) recordOnce(ctx context.Context, l *Left) error {
	there, err := f.Manifest.Has(ctx, l.id())
	if there || err != nil {
		return err
	}
	if l.Lost == nil {
		if l.Output, err = f.output(l); err != nil {
			return err
		}
	}
	if !l.there() {
		return errRemoved
	}
	if err = f.Record(ctx, l); err == nil {
		f.Recorded++
	}
	return err
}

// discard removes a journal that is empty and has no spool. A journal that cannot be
// read, or has a spool, is set aside instead.
func (f *Finisher) discard(l *Left, why error) error {
	if _, err := f.Objects.SpoolSize(l.id()); errors.Is(err, fs.ErrNotExist) && l.size() == 0 {
		return f.Files.Remove(l.path)
	}
	return f.setAside(l, fmt.Errorf("the journal %s is of no use: %w", l.path, why))
}

// giveUp records what is known of a capture, without reading its output, and sets the
// rest aside. If even that fails and fault is not set, no record can be written now,
// and the journal stays for the next command.
func (f *Finisher) giveUp(ctx context.Context, l *Left, why error, fault bool) error {
	if l.Record != nil {
		l.Lost = why
		var err error
		broken := guard.Do("recording it", func() { err = f.recordOnce(ctx, l) })
		if cmp.Or(broken, err) != nil && !fault {
			return why
		}
	}
	return f.setAside(l, why)
}

// setAsideError says why a journal was set aside, and where it is.
type setAsideError struct {
	why error
	dir string
}

func (e *setAsideError) Error() string {
	return fmt.Sprintf("%v; it is not tried again, what is left of it lies in %s", e.why, e.dir)
}

func (e *setAsideError) Unwrap() error { return e.why }

// setAside moves a journal that cannot be finished, and the rest of the output, to a
// directory for a person to look at.
func (f *Finisher) setAside(l *Left, why error) error {
	dir := filepath.Join(f.Dir, "set-aside")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.Rename(l.path, filepath.Join(dir, l.id()))
	}
	if err != nil {
		return errors.Join(why, fmt.Errorf("setting it aside: %w", err))
	}
	to := spoolLink(filepath.Join(dir, l.id()))
	if os.Rename(spoolLink(l.path), to) != nil {
		os.Rename(f.Objects.SpoolPath(l.id()), to)
	}
	return &setAsideError{why, dir}
}

// output makes an object of the output that was kept: of the spool, or of its second
// name if the process died while the spool became an object. A capture that died before
// its first byte has neither, and its output is empty.
func (f *Finisher) output(l *Left) (objects.Info, error) {
	size, err := f.Objects.SpoolSize(l.id())
	switch {
	case err == nil && size > 0:
		if err := f.Files.Link(f.Objects.SpoolPath(l.id()), spoolLink(l.path)); err != nil && !errors.Is(err, fs.ErrExist) {
			return f.copied(f.Objects.SpoolPath(l.id())) // the file system has no links: the spool stays until there is a record
		}
		if info, found, err := f.spool(l.id()); found || err != nil {
			return info, err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return objects.Info{}, err
	}
	info, err := f.copied(spoolLink(l.path))
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return info, err
	case l.Ending != nil && l.Ending.Size > 0:
		return info, fmt.Errorf("its spool of %d bytes is gone", l.Ending.Size)
	case l.runs > 1: // a run is noted before its own bytes and after those of the run before, so bytes are missing
		return info, errors.New("its spool is gone")
	}
	return f.Put(strings.NewReader(""))
}

// copied makes an object from the bytes of a spool, which stays.
func (f *Finisher) copied(path string) (objects.Info, error) {
	file, err := os.Open(path)
	if err != nil {
		return objects.Info{}, err
	}
	defer file.Close()
	output, err := objects.SpoolBytes(file)
	if err != nil {
		return objects.Info{}, err
	}
	return f.Put(output)
}

// spool makes an object of a spool; found is false if none exists. The kernel frees the
// locks of a dead process one after the other, so a spool may still be locked for a
// moment when its journal no longer is: then spool waits.
func (f *Finisher) spool(id string) (info objects.Info, found bool, err error) {
	const nap = 5 * time.Millisecond
	for waited := time.Duration(0); ; waited += nap {
		size, err := f.Objects.SpoolSize(id)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size == 0 {
			return info, false, nil
		}
		if err != nil {
			return info, false, err
		}
		info, err = f.recoverSpool(id)
		switch {
		case err == nil:
			return info, true, nil
		case !errors.Is(err, objects.ErrBusy) || waited >= lockPatience:
			return info, false, err
		}
		time.Sleep(nap)
	}
}

func (f *Finisher) recoverSpool(id string) (objects.Info, error) {
	spools, err := f.Objects.Abandoned()
	if err != nil {
		return objects.Info{}, fmt.Errorf("looking for output that was cut short: %w", err)
	}
	for _, l := range spools {
		if l.Name == id {
			return f.Recover(l)
		}
	}
	return objects.Info{}, fmt.Errorf("the spool of %s: %w", id, objects.ErrBusy)
}
