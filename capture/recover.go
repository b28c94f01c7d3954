package capture

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

	"cairn/internal/place"
	"cairn/internal/redact"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// maxTries is how often a capture that was cut short is tried to be finished
// while everything else can be written; then it is set aside.
const maxTries = 3

// Recover finishes captures whose process died. It says how many it recorded,
// and how many captures are in flight.
func Recover(ctx context.Context, s *place.Site) (n, alive int, err error) {
	f := newFinisher(s, newBackend(s))
	err = f.all(ctx)
	return f.recorded, f.alive, err
}

// finisher records what is left of captures.
type finisher struct {
	site    *place.Site
	b       *backend
	healthy bool   // a record could be written just now, so a failure is the journal's own
	own     string // run id of a capture of this very process, which is left to another

	recorded int
	alive    int // journals that others hold
}

func newFinisher(s *place.Site, b *backend) *finisher { return &finisher{site: s, b: b} }

// all goes through the journals, one at a time.
func (f *finisher) all(ctx context.Context) (errs error) {
	names, err := journals(f.site.Dir)
	for _, name := range names {
		if name == f.own {
			continue
		}
		l, alive, lerr := takeLeft(filepath.Join(runningDir(f.site.Dir), name))
		if alive {
			f.alive++
		}
		if l != nil {
			lerr = f.finish(ctx, l)
		}
		err = errors.Join(err, lerr)
	}
	return err
}

// finish records one capture, unless it is recorded, and removes its journal.
func (f *finisher) finish(ctx context.Context, l *left) error {
	err := l.read(f.b.now())
	switch {
	case err == errBegins:
		l.close()
		return nil
	case err != nil:
		return f.discard(l, err)
	}
	_, err = f.site.Manifest.Find(ctx, l.id())
	if errors.Is(err, manifest.ErrNotFound) {
		err = f.record(ctx, l)
	}
	if err == nil {
		l.done(f.b)
		return nil
	}
	defer l.close()
	if f.healthy && ctx.Err() == nil {
		l.again()
	}
	err = fmt.Errorf("finishing capture %s, which was cut short: %w", l.id(), err)
	if l.tried < maxTries {
		return err
	}
	return f.giveUp(ctx, l, err)
}

// discard removes a journal that says nothing. If there is output of that name
// it is set aside with it.
func (f *finisher) discard(l *left, why error) error {
	defer l.close()
	if _, err := f.site.Objects.SpoolSize(l.id()); errors.Is(err, fs.ErrNotExist) && l.size() == 0 {
		return f.b.remove(l.path)
	}
	return f.setAside(l, fmt.Errorf("the journal %s is of no use: %w", l.path, why))
}

func (l *left) size() int64 {
	st, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return st.Size()
}

// giveUp records what is known of a capture without its output, and sets the
// rest aside.
func (f *finisher) giveUp(ctx context.Context, l *left, why error) error {
	var red redact.Redactor
	text := "cairn: the output could not be recovered: " + why.Error()
	r := f.result(l, parsers.Bytes{}, true, &red)
	r.Body = red.String(result.Clean(text))
	if _, err := f.site.Manifest.Find(ctx, l.id()); errors.Is(err, manifest.ErrNotFound) {
		l.record.Raw, l.record.Partial = nil, true
		if err := f.append(ctx, l.record, r, &red); err == nil {
			f.recorded++
		}
	}
	return f.setAside(l, why)
}

// setAside moves a journal that cannot be finished, and what is left of the
// output, to where a person can look at it.
func (f *finisher) setAside(l *left, why error) error {
	dir := filepath.Join(f.site.Dir, "set-aside")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.Rename(l.path, filepath.Join(dir, l.id()))
	}
	if err != nil {
		return errors.Join(why, fmt.Errorf("setting it aside: %w", err))
	}
	to := spoolLink(filepath.Join(dir, l.id()))
	if os.Rename(spoolLink(l.path), to) != nil {
		os.Rename(f.site.Objects.SpoolPath(l.id()), to)
	}
	return fmt.Errorf("%w; it is not tried again, what is left of it lies in %s", why, dir)
}

// record makes the record of a capture with all that was read of it.
func (f *finisher) record(ctx context.Context, l *left) error {
	info, err := f.bytes(l)
	if err != nil {
		return err
	}
	rec := l.record
	known := orderWithin(l.orderReader(), info.Size)
	complete := l.ending != nil && !l.ending.Partial && l.ending.Size == info.Size
	rec.Partial = !complete
	if rec.Raw, err = keepOrder(f.b, info, io.NewSectionReader(l.file, l.head, known.length)); err != nil {
		return err
	}
	if rec.DurationMS = known.lastMS; l.ending != nil {
		rec.DurationMS = l.ending.DurationMS
	}
	obj, err := f.site.Objects.OpenObject(info.ID)
	if err != nil {
		return err
	}
	defer obj.Close()
	var red redact.Redactor
	r := f.result(l, Kept(obj, info.Size, io.NewSectionReader(l.file, l.head, known.length), known.length), !complete, &red)
	r.RawOID = info.ID.String()
	if err := f.append(ctx, rec, r, &red); err != nil {
		return err
	}
	f.recorded++
	return nil
}

// result parses what is left, as it would have been parsed.
func (f *finisher) result(l *left, source parsers.Source, partial bool, red *redact.Redactor) *result.ToolResult {
	rec, exit := l.record, result.Exit{}
	if e := l.ending; e != nil {
		rec.Exit, rec.Signal, rec.TimedOut = e.Exit, e.Signal, e.TimedOut
		exit = exitOfRecord(rec)
	}
	in := parsers.Input{
		Tool: rec.ParseAs, Argv: rec.Argv, Shell: rec.Shell, Workspace: workspaceOf(f.site, rec), Source: source,
		Truncated: partial, Redact: red.String, As: ownParser(f.site.Place, rec.Argv, rec.Shell, nil),
	}
	var kept []manifest.Artifact
	if l.ending != nil {
		kept = l.ending.Artifacts
	}
	files := reopen(f.site, kept, in.Workspace, red)
	defer files.close()
	in.Artifacts, rec.Artifacts = files.parsed, files.kept
	r := parsers.Parse(in, exit)
	files.tell(r)
	r.Partial = partial
	if l.ending != nil && l.ending.OpenPipes {
		r.Extra = withExtra(r.Extra, "open_pipes", true)
	}
	rec.Key = keyOf(in.Workspace, rec)
	return r
}

func (f *finisher) append(ctx context.Context, rec *manifest.Record, r *result.ToolResult, red *redact.Redactor) error {
	rec.Redacted = addRedacted(rec.Redacted, red)
	lost, err := setResult(rec, f.b, r)
	if err = errors.Join(err, lost); err != nil {
		return err
	}
	return f.b.append(ctx, rec)
}

// bytes makes an object of what was read: of the spool, or of its second name
// when it was being made one. A capture that died before its first byte has
// neither.
func (f *finisher) bytes(l *left) (objects.Info, error) {
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
		return f.b.put(output)
	case !errors.Is(err, fs.ErrNotExist):
		return objects.Info{}, err
	case l.ending != nil && l.ending.Size > 0:
		return objects.Info{}, fmt.Errorf("its spool of %d bytes is gone", l.ending.Size)
	}
	return f.b.put(strings.NewReader(""))
}

// spool makes an object of a spool, if there is one. The lock of a spool may
// outlive that of its journal by the moment in which a process is taken down.
func (f *finisher) spool(id string) (info objects.Info, found bool, err error) {
	const nap = 5 * time.Millisecond
	for waited := time.Duration(0); ; waited += nap {
		size, err := f.site.Objects.SpoolSize(id)
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

func (f *finisher) recoverSpool(id string) (objects.Info, error) {
	spools, err := f.site.Objects.Abandoned()
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
