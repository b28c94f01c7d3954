package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// Sweep moves captures into this place that were kept elsewhere because the repository
// could not be written to at the time, as in a sandbox, and returns how many there
// were. While another process writes to the other place, they stay for the next
// question. Objects are copied before the record that names them, and the originals are
// removed last. So a sweep that is cut short can be repeated; a record that is here
// already is not appended twice.
func Sweep(ctx context.Context, s *place.Site, env place.Env) (n int, err error) {
	return sweepAll(ctx, s, env, false)
}

// sweepAll is Sweep. Captures that cannot be taken stay for another try, unless tells
// says that the caller reports them: then they are moved aside.
func sweepAll(ctx context.Context, s *place.Site, env place.Env, tells bool) (n int, err error) {
	if s.ReadOnly || env.Dir != "" && s.Home == nil {
		return 0, nil // the waiting captures belong elsewhere
	}
	dirs := s.Waiting(env)
	for _, dir := range dirs[slices.Index(dirs, s.Dir)+1:] {
		if place.Private(dir) {
			more, err2 := sweep(ctx, s, dir, tells)
			n, err = n+more, errors.Join(err, err2)
		}
	}
	return n, err
}

// SweepAndTell is Sweep that returns notes for the user.
func SweepAndTell(ctx context.Context, s *place.Site, env place.Env) (notes []string) {
	n, err := sweepAll(ctx, s, env, true)
	if err != nil {
		notes = append(notes, err.Error())
	}
	if n > 0 {
		notes = append(notes, fmt.Sprintf("took over captures that had waited elsewhere: %d", n))
	}
	return notes
}

func sweep(ctx context.Context, s *place.Site, dir string, tells bool) (n int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("taking over captures that wait in %s: %w", dir, err)
		}
	}()
	release, alone, err := place.Seize(dir)
	if err != nil || !alone {
		return 0, err
	}
	defer release()
	running := filepath.Join(dir, "running")
	if !empty(running) {
		waiting := &place.Site{Place: &place.Place{Dir: dir, Workspace: s.Workspace, Rel: "."}, Objects: objects.Open(dir), Manifest: manifest.Open(dir, manifest.Options{})}
		if notes := CatchUp(ctx, waiting, true, nil); !empty(running) {
			if len(notes) > 0 {
				err = errors.New(notes[0])
			}
			return 0, err // another try will follow
		}
	}
	t := &takeover{site: s, store: objects.Open(dir), manifest: manifest.Open(dir, manifest.Options{})}
	if err := t.all(ctx); err != nil {
		return t.n, err
	}
	for _, name := range []string{"set-aside", "quarantine"} {
		if !empty(filepath.Join(dir, name)) {
			t.left = append(t.left, "what was set aside earlier")
			break
		}
	}
	left := fmt.Errorf("not all could be taken over: %s", strings.Join(t.left, "; "))
	switch {
	case len(t.left) == 0:
		return t.n, os.RemoveAll(dir)
	case !tells:
		return t.n, left
	}
	to := fmt.Sprintf("%s.left-%s", dir, time.Now().UTC().Format("20060102T150405.000000"))
	if err := os.Rename(dir, to); err != nil {
		return t.n, err
	}
	return t.n, fmt.Errorf("%w; the directory lies in %s, for you to look at", left, to)
}

func empty(dir string) bool {
	left, err := os.ReadDir(dir)
	return errors.Is(err, os.ErrNotExist) || err == nil && len(left) == 0
}

// takeover moves captures from one place to another.
type takeover struct {
	site     *place.Site // the destination
	store    *objects.Store
	manifest *manifest.Manifest
	n        int      // records moved
	left     []string // what could not be moved, and why
}

// all moves every object, and then every line, even lines that only a newer cairn can
// read. What cannot be moved is noted, and the rest is still moved. An error means that
// nothing more can be written.
func (t *takeover) all(ctx context.Context) error {
	release, err := t.site.Objects.Hold()
	if err != nil {
		return err
	}
	defer release()
	if err := t.objects(ctx); err != nil {
		return err
	}
	var unread [][]byte
	var here *known
	q := manifest.Query{Passed: func(line []byte) { unread = append(unread, bytes.Clone(line)) }}
	for rec, err := range t.manifest.Records(ctx, q) {
		if err == nil && here == nil { // the oldest one that waits
			here, err = knownSince(ctx, t.site.Manifest, rec.Time)
		}
		if err != nil {
			return err
		}
		if here.ids[rec.ID] {
			continue
		}
		if err := t.site.Manifest.Append(ctx, rec.Moved()); err != nil {
			return err
		}
		t.n++
	}
	if len(unread) == 0 {
		return nil
	}
	if here, err = knownSince(ctx, t.site.Manifest, time.Time{}); err != nil {
		return err
	}
	for _, line := range unread {
		if err := t.line(ctx, line, here); err != nil {
			return err
		}
	}
	return nil
}

// line moves a line unchanged.
func (t *takeover) line(ctx context.Context, line []byte, here *known) error {
	if here.lines[string(line)] {
		return nil
	}
	here.lines[string(line)] = true
	err := t.site.Manifest.AppendLine(ctx, line)
	if errors.Is(err, manifest.ErrNoRecord) {
		t.left = append(t.left, fmt.Sprintf("a line of %d bytes that is no record", len(line)))
		return nil
	}
	if err == nil {
		t.n++
	}
	return err
}

// known is what the destination holds already.
type known struct {
	ids   map[string]bool
	lines map[string]bool // lines that this version cannot read
}

func knownSince(ctx context.Context, m *manifest.Manifest, since time.Time) (*known, error) {
	k := &known{map[string]bool{}, map[string]bool{}}
	q := manifest.Query{Since: since, Facts: true, Passed: func(line []byte) { k.lines[string(line)] = true }}
	for rec, err := range m.Records(ctx, q) {
		if err != nil {
			return nil, err
		}
		k.ids[rec.ID] = true
	}
	return k, nil
}

// objects copies every object. An object that cannot be read stays, and then all of the
// other place does.
func (t *takeover) objects(ctx context.Context) error {
	for id, err := range t.store.IDs() {
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return err
		}
		if t.site.Objects.Has(id) {
			continue
		}
		obj, err := t.store.OpenObject(id)
		if err != nil {
			t.left = append(t.left, err.Error())
			continue
		}
		read := &failing{r: io.NewSectionReader(obj, 0, obj.Size())}
		_, err = t.site.Objects.Put(read)
		obj.Close()
		switch {
		case read.err != nil:
			t.left = append(t.left, read.err.Error())
		case err != nil:
			return err
		}
	}
	return nil
}

// failing remembers the error of the last read.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// gitPatience bounds the wait for git if the files alone do not show which repository
// this is. Git answers in milliseconds, on a cold network disk in about a second. The
// command starts only afterwards, since it could change the answer.
const gitPatience = 2 * time.Second

// openSite finds the place for the command's record. If git does not answer, the
// capture waits, or goes to CAIRN_DIR, into shards only: the next command for which git
// works takes it from there. cancel cancels ctx.
func openSite(ctx context.Context, cancel context.CancelFunc, o Options) (*place.Site, error) {
	warn := func(w manifest.Warning) { o.Warn(w.String()) }
	// The place keeps using ctx, so ctx gets no deadline; it is cancelled if git is too slow.
	late := time.AfterFunc(gitPatience, cancel)
	site, err := place.Open(ctx, o.Command.Dir, o.Env, warn)
	if late.Stop() || err == nil {
		return site, err
	}
	p, err2 := place.WithoutGit(o.Command.Dir, o.Env, fmt.Sprintf("git did not answer within %s", gitPatience))
	if err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return &place.Site{Place: p, Objects: objects.Open(p.Dir), Manifest: manifest.Open(p.Dir, manifest.Options{Warn: warn})}, nil
}

// gitOf is the state of the repository at the start of the run. ci is the branch that CI builds, for a detached HEAD.
func gitOf(s *place.Site, ci string, red *redact.Redactor) *manifest.Git {
	if s.Repo == nil {
		return nil
	}
	return &manifest.Git{Commit: s.Repo.Commit, Tree: s.Repo.Tree, Branch: cut(red.String(cmp.Or(s.Repo.Branch, ci)), maxName)}
}

// workspaceOf is the workspace of a record's directory, in this clone.
func workspaceOf(s *place.Site, rec *manifest.Record) result.Workspace {
	w := s.Workspace
	w.Dir = filepath.Join(w.Root, filepath.FromSlash(rec.Dir))
	return w
}
