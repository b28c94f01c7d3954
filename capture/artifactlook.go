package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
)

// Limits for finding and keeping reports. The result names files beyond them.
const (
	// maxLooked bounds the directory entries that are read in one search.
	maxLooked = 20_000
	// maxReports bounds the files that are kept.
	maxReports = 2_000
	// maxReportBytes bounds the bytes of all kept files.
	maxReportBytes = 100 << 20
	// fileTick is how far the times of files may be behind the clock: Linux uses the
	// time of its last timer interrupt, which at 100 Hz is up to 10 ms old.
	fileTick = 10 * time.Millisecond
)

// search knows where the reports of a command may be and which files were there before
// it started. It is nil for the many commands that write none.
type search struct {
	dir      string // the command's directory, absolute
	named    []parsers.Written
	patterns []parsers.Place
	before   map[string]stamp // by absolute path; nil if nothing was noted before
	read     int              // directory entries so far
	missed   bool             // a file that was there before may not have been noted
	closed   []error          // errors from directories that could not be read
}

// stamp is the state of a file, which changes when the file is written to. The times of
// a file system may be coarse, or those of another machine. So a stamp is compared with
// an earlier stamp of the file, never with this machine's clock.
type stamp struct {
	size    int64
	changed time.Time
	info    fs.FileInfo // shows whether another file has taken the name
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime(), info} }

func (s stamp) same(o stamp) bool {
	return s.size == o.size && s.changed.Equal(o.changed) && os.SameFile(s.info, o.info)
}

// lookBefore notes, before the command starts, which files exist already. asked are
// files that the user says the command will write, or patterns for such files.
func lookBefore(dir string, env, argv []string, shell string, asked ...string) *search {
	s := &search{dir: dir, named: append(parsers.WrittenBy(argv, shell), parsers.WrittenByEnv(env)...), patterns: parsers.PlacesOf(argv, shell)}
	for _, name := range asked {
		if name = path.Clean(filepath.ToSlash(name)); !strings.Contains(name, "*") {
			s.named = append(s.named, parsers.Written{Path: name, Role: parsers.RoleReport})
			continue
		}
		fixed := path.Dir(name[:strings.Index(name, "*")] + "x")
		if fixed != "." {
			name = strings.TrimPrefix(strings.TrimPrefix(name, fixed), "/")
		}
		s.patterns = append(s.patterns, parsers.Place{Dir: fixed, Pattern: name})
	}
	if len(s.named) == 0 && len(s.patterns) == 0 {
		return nil
	}
	s.before = map[string]stamp{}
	for _, f := range s.all() {
		if info, err := os.Stat(f.path); err == nil {
			s.before[f.path] = stampOf(info)
		}
	}
	s.missed = s.read >= maxLooked
	return s
}

// found is a file that may be a report.
type found struct {
	path   string // absolute
	role   parsers.Role
	named  bool
	given  bool // the user named it
	append bool // the run may have appended to older content
}

// all are the present files; those that the command line names come first, even if they
// do not exist.
func (s *search) all() []found {
	s.read, s.closed = 0, nil
	var list []found
	seen := map[string]bool{}
	add := func(f found) {
		if !seen[f.path] {
			seen[f.path] = true
			list = append(list, f)
		}
	}
	for _, w := range s.named {
		f := found{path: s.at(w.Path), role: w.Role, named: true, append: w.Append}
		info, err := os.Stat(f.path)
		if err != nil || !info.IsDir() {
			add(f)
			continue
		}
		for _, name := range s.expand(f.path, "*.xml") {
			add(found{path: name, role: w.Role, named: true})
		}
	}
	for _, p := range s.patterns {
		dir := s.at(p.Dir)
		if p.Gate != "" && !isThere(filepath.Join(dir, p.Gate)) {
			continue
		}
		for _, name := range s.expand(dir, p.Pattern) {
			add(found{path: name, role: parsers.RoleReport})
		}
	}
	return list
}

func (s *search) at(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.dir, name)
}

func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// expand lists the files below dir that match a pattern, sorted by name. "*" matches neither
// hidden directories nor those that hold other people's code, such as node_modules.
func (s *search) expand(dir, pattern string) (files []string) {
	dirs := []string{dir}
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		var next []string
		for _, d := range dirs {
			if !strings.Contains(part, "*") {
				if name := filepath.Join(d, part); !last || isThere(name) {
					next = append(next, name)
				}
				continue
			}
			for _, e := range s.entries(d) {
				wanted := !e.IsDir()
				if !last {
					wanted = e.IsDir() && !foreign(e.Name())
				}
				if ok, _ := path.Match(part, e.Name()); ok && wanted {
					next = append(next, filepath.Join(d, e.Name()))
				}
			}
		}
		dirs = next
	}
	return dirs
}

func foreign(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor", "target", "build", "dist", "src"}, name)
}

// entries reads a directory, unless the search has read maxLooked entries.
func (s *search) entries(dir string) []fs.DirEntry {
	if s.read >= maxLooked {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			s.closed = append(s.closed, err)
		}
		return nil
	}
	defer d.Close()
	list, _ := d.ReadDir(maxLooked - s.read)
	s.read += len(list) + 1
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// errStale says that an earlier run wrote the file.
var errStale = errors.New("not written by this run")

// fresh says whether the command wrote a file, and from which byte on. If the file was
// not noted before the command started, its time decides: it must lie between the
// start, less fileTick, and the end of the command. A time after the end comes from a
// clock that is ahead, and proves nothing.
func (s *search) fresh(f found, now stamp, started, ended time.Time) (from int64, err error) {
	old, was := s.before[f.path]
	switch {
	case s.dir == "":
		return 0, nil // the user named it
	case was && old.same(now):
		return 0, errStale
	case was && f.append && os.SameFile(old.info, now.info) && now.size >= old.size:
		return old.size, nil
	case was, s.before != nil && !s.missed:
		return 0, nil
	case now.changed.Before(started.Add(-fileTick)) || now.changed.After(ended.Add(time.Second)):
		return 0, errStale
	}
	return 0, nil
}

// The tree of the working directory at the start is found out while the command runs:
// at once if only few files changed since the last time, else by asking git, and only
// if the command runs longer than treeDelay, since for a shorter one the answer would
// come too late. After the command has ended, the capture waits for the answer for a
// tenth of the command's time, but at least treePatience and at most mostTreePatience.
// Without an answer the record says why it is missing.
const (
	treeDelay        = 5 * time.Millisecond
	treePatience     = time.Millisecond
	mostTreePatience = 50 * time.Millisecond
)

// snapshotPatience bounds the time to make a snapshot for the next capture.
const snapshotPatience = 30 * time.Second

// treeQuestion is the question about the tree while it is being answered.
type treeQuestion struct {
	reader *gitrepo.WorktreeReader
	cancel context.CancelFunc
	answer chan treeAnswer
}

// treeAnswer is what is known of the tree at the start.
type treeAnswer struct {
	id    string // "" if unknown
	dirty *bool  // nil if unknown
	err   error  // why the id is not known
}

// askTree asks for the tree at a moment right before the command started.
func (c *capture) askTree(at gitrepo.Moment, started time.Time) {
	if c.site == nil {
		return
	}
	w := c.site.WorktreeAt(at)
	if w == nil {
		return
	}
	ctx, cancel := context.WithCancel(c.gitCtx)
	q := &treeQuestion{reader: w, cancel: cancel, answer: make(chan treeAnswer, 1)}
	c.tree = q
	go func() { q.answer <- readTree(ctx, c.site.Repo, w, started) }()
}

// readTree answers the question. If files changed since the start, it only asks git
// whether there were changes before, which git may still know.
func readTree(ctx context.Context, r *gitrepo.Repo, w *gitrepo.WorktreeReader, started time.Time) treeAnswer {
	wait := func() { // the code below notices a cancelled context
		select {
		case <-ctx.Done():
		case <-time.After(treeDelay - time.Since(started)):
		}
	}
	if w.Large() {
		wait()
	}
	tree, known := w.Known(ctx)
	var err error
	if !known {
		wait()
		tree, err = w.Read(ctx)
	}
	if err == nil {
		return treeAnswer{id: tree.ID, dirty: &tree.Dirty}
	}
	a := treeAnswer{err: err}
	if dirty, known, err := r.DirtyAt(ctx, started); known && err == nil {
		a.dirty = &dirty
	}
	return a
}

// takeTree puts the answer into the record, if it came in time.
func (c *capture) takeTree() {
	if c.tree == nil {
		return
	}
	defer c.tree.cancel()
	tenth := time.Duration(c.rec.DurationMS) * time.Millisecond / 10
	patience := time.NewTimer(min(max(tenth, treePatience), mostTreePatience))
	defer patience.Stop()
	git := c.rec.Git
	select {
	case a := <-c.tree.answer:
		git.Worktree, git.Dirty = a.id, a.dirty
		git.WorktreeMoved = errors.Is(a.err, gitrepo.ErrMoved)
		if a.err != nil && !git.WorktreeMoved {
			git.WorktreeUnknown = whyNoTree(a.err)
		}
	case <-patience.C:
		git.WorktreeUnknown = manifest.WorktreeLate
		c.tree.reader.WantSnapshot()
	}
	if git.Commit == "" {
		git.Dirty = nil // without a commit there is nothing to differ from
	}
}

// whyNoTree is the reason in the record. It leaves out git's own words, which may name files.
func whyNoTree(err error) string {
	switch {
	case errors.Is(err, gitrepo.ErrTooLarge):
		return manifest.WorktreeLarge
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return manifest.WorktreeLate
	}
	return manifest.WorktreeRefused
}

// Snapshot reads the working tree for the next capture of a site, if the last one had
// no time to.
func Snapshot(ctx context.Context, s *place.Site) {
	w := s.WorktreeAt(gitrepo.Now())
	if w == nil || !w.SnapshotWanted() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotPatience)
	defer cancel()
	if _, known := w.Known(ctx); !known {
		w.Read(ctx) // keeps its result; if it fails, the next capture asks git again
	}
}
