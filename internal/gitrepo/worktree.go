package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Worktree is the state of the working tree at one moment.
type Worktree struct {
	// ID is the tree of a commit of everything that git does not ignore: tracked files
	// as they are, staged or not, and untracked ones. It is the output of `git
	// write-tree` after `git add -A`, so equal content has equal ids in every clone and
	// on every machine.
	ID string
	// Dirty says that a tracked file differed from Commit, in the index or in the
	// working tree.
	Dirty bool
}

// Reasons why a Worktree is not known.
var (
	ErrMoved    = errors.New("the working tree changed while it was read")
	ErrTooLarge = errors.New("more changed and untracked files than are read for every run")
)

// Limits of what is hashed for an id. Unchanged tracked files are not hashed, since the
// index has their stat data.
const (
	maxChangedFiles = 20_000
	maxChangedBytes = 64 << 20
)

// WorktreeReader reads the state of the working tree at a past or present moment: it
// fails with ErrMoved if any process changed something since.
//
// It never writes the user's index, refs or objects. It keeps snapshots in a folder of
// its own (see treeState), so that an unchanged tree is recognised by the stat data of
// its files without starting a process.
type WorktreeReader struct {
	repo *Repo
	dir  string
	at   Moment
	seen *treeState // the tree that was read

	early map[string]names // see earlyNames
	odd   []string         // paths added to folders or removed from them since
}

// WrittenSince are files of the tree that were written or renamed after a time, in
// order.
func (w *WorktreeReader) WrittenSince(t time.Time) (paths []string) {
	if w.seen == nil {
		return nil
	}
	for _, l := range w.seen.entries {
		if l.stamp.changed > t.UnixNano() {
			paths = append(paths, l.path)
		}
	}
	return paths
}

// WorktreeAt returns a reader of the working tree at a moment. It keeps snapshots in
// dir, which is made if its parent exists. Without a working tree it returns nil.
func (r *Repo) WorktreeAt(at Moment, dir string) *WorktreeReader {
	if r.TopLevel == "" {
		return nil
	}
	return &WorktreeReader{repo: r, dir: dir, at: at}
}

// Known answers without git, if only the contents of a few files changed since the last
// snapshot.
func (w *WorktreeReader) Known(ctx context.Context) (Worktree, bool) {
	s, ok := w.load()
	if !ok || s.base != w.base() || !s.renew(ctx, w) {
		return Worktree{}, false
	}
	w.seen = s
	return Worktree{ID: s.id, Dirty: s.dirty()}, true
}

// Read asks git for the tree.
func (w *WorktreeReader) Read(ctx context.Context) (Worktree, error) {
	early := make(chan map[string]names, 1)
	go func() { early <- w.earlyNames() }()
	return w.ask(ctx, early)
}

// ask is Read with a channel for the early names.
func (w *WorktreeReader) ask(ctx context.Context, early <-chan map[string]names) (Worktree, error) {
	seen, err := w.status(ctx)
	w.early = <-early
	if err != nil {
		return Worktree{}, err
	}
	id, entries := w.repo.Tree, []byte(nil)
	if seen.changed || id == "" {
		if id, entries, err = w.add(ctx); err != nil {
			return Worktree{}, err
		}
	} else if entries, err = w.repo.treeGit().run(ctx, "list the index", nil, listIndex...); err != nil {
		return Worktree{}, err
	}
	s, err := w.look(ctx, id, entries, seen)
	if err != nil {
		return Worktree{}, err
	}
	w.seen = s
	w.keep(s)
	return Worktree{ID: id, Dirty: s.dirty()}, nil
}

// listIndex lists mode, id and stage of every entry, and whether git looks at its file
// at all.
var listIndex = []string{"ls-files", "-s", "-v", "-z"}

// seen is the result of `git status`.
type seen struct {
	changed bool              // a commit of everything would have another tree than Commit
	staged  bool              // the index differs from Commit, or a tracked file is gone
	index   map[string]string // of changed tracked files: mode, blank, object in the index
	loose   map[string]bool   // untracked files
	ignored map[string]bool   // ignored files and folders
}

// status runs `git status`, and checks the limits of what has to be hashed.
func (w *WorktreeReader) status(ctx context.Context) (*seen, error) {
	out, err := w.repo.treeGit().run(ctx, "compare the working tree with HEAD", nil, "-c", "core.fsmonitor=false",
		"status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=matching", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	s := &seen{index: map[string]string{}, loose: map[string]bool{}, ignored: map[string]bool{}}
	files, size := 0, int64(0)
	for line := range strings.SplitSeq(string(out), "\x00") {
		path := s.line(line)
		if path == "" {
			continue
		}
		s.changed = true
		files++
		if st, err := os.Lstat(w.path(path)); err == nil && st.Mode().IsRegular() {
			size += st.Size()
		}
		if files > maxChangedFiles || size > maxChangedBytes {
			return nil, ErrTooLarge
		}
	}
	return s, nil
}

// line reads one line of the second porcelain format (git-status(1)), and returns the
// path of a changed file.
func (s *seen) line(line string) string {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "?":
		s.loose[rest] = true
		return rest
	case "!":
		s.ignored[strings.TrimSuffix(rest, "/")] = true
	case "1": // XY sub mH mI mW hH hI path
		if f := strings.SplitN(rest, " ", 8); len(f) == 8 {
			s.staged = s.staged || f[0][0] != '.' || f[0][1] == 'D'
			s.index[f[7]] = f[3] + " " + f[6]
			return f[7]
		}
	case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
		if f := strings.SplitN(rest, " ", 10); len(f) == 10 {
			s.staged = true
			return f[9]
		}
	}
	return ""
}

// path is the file for git's name of it.
func (w *WorktreeReader) path(name string) string {
	if name == "" {
		return w.repo.TopLevel
	}
	return w.repo.TopLevel + string(filepath.Separator) + filepath.FromSlash(name) // not filepath.Join, since name is clean and this is called for every file
}

// ownIndex are settings with which git writes only a scratch index and scratch objects:
// no hook, no shared index, no monitor, no LFS objects in the user's store. Objects are
// neither compressed nor synced, since they are thrown away.
func ownIndex(dir string) []string {
	return []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.splitIndex=false", "-c", "core.fsmonitor=false",
		"-c", "core.safecrlf=false", "-c", "core.looseCompression=0", "-c", "core.fsync=none", "-c", "core.fsyncObjectFiles=false",
		"-c", "lfs.storage=" + filepath.Join(dir, "lfs")}
}

// add is addIn in a folder outside of the repository, if there is one with room: a
// program that runs meanwhile may walk the whole working tree with .git in it, and fail
// if a folder that it has just listed disappears.
func (w *WorktreeReader) add(ctx context.Context) (id string, entries []byte, err error) {
	w.removeOld()
	temp, err := filepath.EvalSymlinks(os.TempDir())
	if below, rel := filepath.Rel(w.repo.TopLevel, temp); err == nil && (rel != nil || !filepath.IsLocal(below)) {
		if id, entries, err = w.addIn(ctx, temp); !noRoom(err) {
			return id, entries, err
		}
	}
	if err := w.makeDir(); err != nil {
		return "", nil, err
	}
	return w.addIn(ctx, w.dir)
}

// noRoom says whether the error, or git's message, means that a folder cannot be made or written to.
func noRoom(err error) bool {
	return err != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "No space left on device"))
}

// addIn runs `git add -A` and `git write-tree` on a copy of the index, with objects in
// a scratch folder, and lists the entries of that index.
func (w *WorktreeReader) addIn(ctx context.Context, dir string) (id string, entries []byte, err error) {
	scratch, err := os.MkdirTemp(dir, scratchName)
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(scratch)
	index := filepath.Join(scratch, "index")
	if err := copyIndex(index, w.userIndex()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	store := filepath.Join(scratch, "objects")
	if err := os.Mkdir(store, 0o755); err != nil {
		return "", nil, err
	}
	g := w.repo.treeGit()
	g.env = append(g.env, "GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+store, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+alternateList(w.repo.objectDir))
	g.opts = append(g.opts, ownIndex(scratch)...)
	if _, err := g.run(ctx, "add the working tree to a scratch index", nil, "add", "-A"); err != nil && !sparse(err) {
		return "", nil, err
	}
	out, err := g.run(ctx, "name the tree of the working tree", nil, "write-tree", "--missing-ok")
	if err != nil {
		return "", nil, err
	}
	entries, err = g.run(ctx, "list a scratch index", nil, listIndex...)
	return strings.TrimSpace(string(out)), entries, err
}

// scratchName begins the names of scratch folders.
const scratchName = "cairn-scratch-"

// sparse says whether git's only complaint is about files outside of a sparse checkout,
// which it leaves out of a commit.
func sparse(err error) bool {
	return strings.Contains(err.Error(), "outside of your sparse-checkout definition")
}

// alternateList is git's list of object folders: dir and those in the user's
// environment.
func alternateList(dir string) string {
	list := dir
	if strings.ContainsAny(dir, "\"\n"+string(os.PathListSeparator)) {
		list = strconv.Quote(dir)
	}
	if more := os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"); more != "" {
		list += string(os.PathListSeparator) + more
	}
	return list
}

// userIndex is the index that git uses: during `git commit -a`, the one being committed.
func (w *WorktreeReader) userIndex() string {
	if name := os.Getenv("GIT_INDEX_FILE"); name != "" {
		if !filepath.IsAbs(name) {
			name = w.path(name)
		}
		return name
	}
	return filepath.Join(w.repo.GitDir, "index")
}

// removeOld removes scratch folders of killed readers, at most once an hour, since the
// temporary folder may hold many other programs' files.
func (w *WorktreeReader) removeOld() {
	old := func(name string) bool {
		st, err := os.Lstat(name)
		return err == nil && time.Since(st.ModTime()) > time.Hour
	}
	looked := filepath.Join(w.dir, "removed-old")
	if _, err := os.Lstat(looked); err == nil && !old(looked) {
		return
	}
	os.WriteFile(looked, []byte("\n"), 0o600) // if it fails, the next reader looks again
	for _, names := range [...]string{filepath.Join(os.TempDir(), scratchName+"*"), filepath.Join(w.dir, "*scratch-*")} {
		left, _ := filepath.Glob(names)
		for _, dir := range left {
			if old(dir) {
				os.RemoveAll(dir)
			}
		}
	}
}

// copyIndex copies an index with its time, by which git recognises files that may have
// changed right after it was written.
func copyIndex(to, from string) error {
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, st.ModTime(), st.ModTime())
}

// ignores asks git whether it ignores all of these paths.
func (w *WorktreeReader) ignores(ctx context.Context, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	g := w.repo.treeGit()
	g.opts = slices.DeleteFunc(g.opts, func(o string) bool { return o == "--literal-pathspecs" }) // check-ignore refuses it
	var list strings.Builder
	for _, path := range paths {
		list.WriteString("./" + path + "\x00") // an initial colon would have a meaning
	}
	out, err := g.run(ctx, "ask what is ignored", []byte(list.String()), "-c", "core.fsmonitor=false", "check-ignore", "-z", "--stdin")
	return err == nil && strings.Count(string(out), "\x00") == len(paths)
}

// look reads the stat data of everything that decides about the tree, and fails with
// ErrMoved if any of it has changed since the moment.
func (w *WorktreeReader) look(ctx context.Context, id string, entries []byte, seen *seen) (*treeState, error) {
	s := &treeState{id: id, base: w.base(), staged: seen.staged}
	for line := range strings.SplitSeq(string(entries), "\x00") {
		s.addEntry(line, seen)
	}
	if changed := s.compare(ctx, w); !w.allBefore(changed) {
		return nil, ErrMoved
	}
	if w.odd = nil; !s.walk(w, "", seen.ignored) || !w.ignores(ctx, w.odd) {
		return nil, ErrMoved
	}
	if now := lstamp(w.userIndex()); now != (stamp{}) && !w.at.before(now) {
		return nil, ErrMoved
	}
	s.plain = w.asIs(s, seen.ignored) && w.repo.treeOID(s.entries) == id
	return s, ctx.Err()
}

// Files are the files of the tree that was read, with mode and id of the content.
func (w *WorktreeReader) Files() map[string]string {
	files := map[string]string{}
	if w.seen == nil {
		return files
	}
	for _, l := range w.seen.entries {
		files[l.path] = l.mode + " " + l.oid
	}
	return files
}
