package recovery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/manifest"
	"cairn/objects"
)

// maxTries is how many attempts to finish a capture that was cut short may fail
// while other records can be written. After that the capture is set aside.
const maxTries = 3

// Finisher sees to it that captures whose processes died are recorded.
type Finisher struct {
	Dir      string // of the place
	Objects  *objects.Store
	Manifest *manifest.Manifest
	Files    Files
	Put      func(io.Reader) (objects.Info, error) // into Objects
	Now      func() time.Time
	// Record makes the record of what is left of a capture and appends it.
	Record func(context.Context, *Left) error

	Healthy bool   // this process has just written a record: if a journal cannot be finished, the journal is at fault, and the try counts
	Except  string // run id of this process's own capture, where that failed: it is left for a later command

	Recorded int // so far
	Alive    int // journals that other processes hold
}

// All goes through the journals, one at a time.
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

// finish records one capture, unless it is recorded, and removes its journal.
func (f *Finisher) finish(ctx context.Context, l *Left) error {
	err := l.read(f.Now())
	switch {
	case err == errBegins:
		l.close()
		return nil
	case err != nil:
		return f.discard(l, err)
	}
	err = f.record(ctx, l)
	if bad := (damage)(""); errors.As(err, &bad) {
		if err = f.settleDamaged(ctx, l, bad); err == errSetAside {
			defer l.close()
			return f.setAside(l, fmt.Errorf("the journal %s is damaged: %w", l.path, bad))
		}
	}
	if err == nil {
		l.done(f.Files)
		return nil
	}
	defer l.close()
	if err == errRemoved {
		return nil
	}
	if f.Healthy && ctx.Err() == nil {
		l.again()
	}
	err = fmt.Errorf("finishing capture %s, which was cut short: %w", l.id(), err)
	if l.tried < maxTries {
		return err
	}
	return f.giveUp(ctx, l, err)
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

// errRemoved says that a journal was removed while it was being finished, with the
// repository around it as a rule. What is there now may be another repository.
var errRemoved = errors.New("the journal was removed")

// recordOnce records a capture of which the manifest has no record.
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

// discard removes a journal that is empty and has no spool. One that cannot be read,
// or has a spool, is set aside instead.
func (f *Finisher) discard(l *Left, why error) error {
	defer l.close()
	if _, err := f.Objects.SpoolSize(l.id()); errors.Is(err, fs.ErrNotExist) && l.size() == 0 {
		return f.Files.Remove(l.path)
	}
	return f.setAside(l, fmt.Errorf("the journal %s is of no use: %w", l.path, why))
}

// giveUp records what is known of a capture without its output, and sets the
// rest aside.
func (f *Finisher) giveUp(ctx context.Context, l *Left, why error) error {
	l.Output, l.Lost = objects.Info{}, why
	f.recordOnce(ctx, l) // if this fails too, why is still reported
	return f.setAside(l, why)
}

// setAside moves a journal that cannot be finished, and what is left of the
// output, to where a person can look at it.
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
	return fmt.Errorf("%w; it is not tried again, what is left of it lies in %s", why, dir)
}

// output makes an object of what was read: of the spool, or of its second name if
// the process died while it made an object of the spool. A capture that died
// before its first byte has neither, and its output is empty.
func (f *Finisher) output(l *Left) (objects.Info, error) {
	info, found, err := f.spool(l.id())
	if found || err != nil {
		return info, err
	}
	link, err := os.Open(spoolLink(l.path))
	switch {
	case err == nil:
		defer link.Close()
		output, err := objects.SpoolBytes(link)
		if err != nil {
			return objects.Info{}, err
		}
		return f.Put(output)
	case !errors.Is(err, fs.ErrNotExist):
		return objects.Info{}, err
	case l.Ending != nil && l.Ending.Size > 0:
		return objects.Info{}, fmt.Errorf("its spool of %d bytes is gone", l.Ending.Size)
	}
	return f.Put(strings.NewReader(""))
}

// spool makes an object of a spool, if there is one. The kernel frees the locks of a
// dead process one after the other, so a spool may still be locked for a moment
// when its journal no longer is: then spool waits.
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
			return l.Recover()
		}
	}
	return objects.Info{}, fmt.Errorf("the spool of %s: %w", id, objects.ErrBusy)
}
