package gitrepo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Leaves are all files of a tree, by path, including symbolic links and submodules. A
// value is mode and object, so two files are equal if their values are.
type Leaves map[string]string

// Differ lists the paths at which two trees differ, in order.
func (l Leaves) Differ(other Leaves) (paths []string) {
	for path, is := range l {
		if other[path] != is {
			paths = append(paths, path)
		}
	}
	for path := range other {
		if _, ok := l[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// OID is the object of a file; "" if the file does not exist.
func (l Leaves) OID(path string) string {
	_, oid, _ := strings.Cut(l[path], " ")
	return oid
}

// Leaves lists the files of a tree or a commit; ErrMissing if git does not have it.
func (r *Repo) Leaves(ctx context.Context, tree string) (Leaves, error) {
	return r.leavesBelow(ctx, tree)
}

// HasFile says whether a tree or a commit has a file, without listing all files.
func (r *Repo) HasFile(ctx context.Context, tree, path string) (bool, error) {
	all, err := r.leavesBelow(ctx, tree, "--", path)
	return all.OID(path) != "", err
}

func (r *Repo) leavesBelow(ctx context.Context, tree string, only ...string) (Leaves, error) {
	op := "list the files of " + tree
	if err := r.checkOID(op, tree); err != nil {
		return nil, err
	}
	out, err := r.storeGit().run(ctx, op, nil, append([]string{"ls-tree", "-r", "-z", "--full-tree", tree}, only...)...)
	if err != nil {
		return nil, missing(err)
	}
	all := Leaves{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		facts, path, ok := strings.Cut(line, "\t") // <mode> <type> <oid>
		if f := strings.Fields(facts); ok && len(f) == 3 {
			all[path] = f[0] + " " + f[2]
		}
	}
	return all, nil
}

// Leaves are the files of the tree that was read.
func (w *WorktreeReader) Leaves() Leaves {
	if w.seen == nil {
		return nil
	}
	return w.seen.leaves()
}

func (s *treeState) leaves() Leaves {
	all := make(Leaves, len(s.entries))
	for _, e := range s.entries {
		all[e.path] = e.mode + " " + e.oid
	}
	return all
}

// LeavesOf are the files of a tree that some working tree had when its snapshot was
// kept, even if git never had the tree. Only the newest trees are known.
func (w *WorktreeReader) LeavesOf(tree string) (Leaves, bool) {
	data, err := os.ReadFile(w.keptTree(tree))
	if err != nil {
		return nil, false
	}
	s, ok := decodeSnapshot(data)
	if !ok || s.id != tree {
		return nil, false
	}
	return s.leaves(), true
}

func (w *WorktreeReader) keptTree(tree string) string { return filepath.Join(w.dir, tree+".tree") }

// Limits of the snapshots that are kept by tree.
const (
	maxKeptTrees = 64
	maxKeptBytes = 32 << 20
)

// keepTree keeps the snapshot that was just written also under the name of its tree,
// and removes the oldest of these. On a disk without hard links it does nothing.
func (w *WorktreeReader) keepTree(s *treeState) {
	name := w.keptTree(s.id)
	if err := os.Link(w.file(), name); err != nil { // an existing file is just as good
		return
	}
	kept, _ := filepath.Glob(filepath.Join(w.dir, "*.tree"))
	st, err := os.Stat(name)
	if err != nil || len(kept) <= 2 || len(kept) <= maxKeptTrees && int64(len(kept))*st.Size() <= maxKeptBytes {
		return
	}
	oldest, at := "", time.Time{}
	for _, other := range kept {
		if st, err := os.Stat(other); err == nil && other != name && (oldest == "" || st.ModTime().Before(at)) {
			oldest, at = other, st.ModTime()
		}
	}
	os.Remove(oldest) // another process may have removed it already
}

// Ancestors lists a commit and its ancestors, newest first, at most most of them.
func (r *Repo) Ancestors(ctx context.Context, commit string, most int) ([]string, error) {
	const op = "list the ancestors of a commit"
	if err := r.checkOID(op, commit); err != nil {
		return nil, err
	}
	out, err := r.storeGit().run(ctx, op, nil, "rev-list", "--max-count="+strconv.Itoa(most), commit, "--")
	return strings.Fields(string(out)), err
}

// Between lists the commits that to has and from has not, newest first, at most most of
// them: hash, a space, subject.
func (r *Repo) Between(ctx context.Context, from, to string, most int) ([]string, error) {
	const op = "list the commits between two"
	for _, oid := range []string{from, to} {
		if err := r.checkOID(op, oid); err != nil {
			return nil, err
		}
	}
	out, err := r.storeGit().run(ctx, op, nil, "log", "--no-show-signature", "--format=%H %s", "--max-count="+strconv.Itoa(most), from+".."+to, "--")
	if err != nil {
		return nil, err
	}
	return lines(string(out)), nil
}

func lines(s string) []string {
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// CommitOf is the commit with this name: a tag, a branch, HEAD~2.
func (r *Repo) CommitOf(ctx context.Context, name string) (string, error) {
	if strings.HasPrefix(name, "-") {
		return "", fmt.Errorf("%q is not the name of a commit", name)
	}
	out, err := r.treeOrStore().run(ctx, "find the commit "+name, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("git knows no commit %q", name)
	}
	return strings.TrimSpace(string(out)), nil
}

// DefaultBranch is the short name of the default branch of the remote origin, or else
// main or master, whichever exists.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	if name, ok := r.originHead(ctx); ok {
		if tip, err := r.readRef(ctx, "refs/remotes/origin/"+name); err == nil && tip != "" {
			return name, nil
		}
	}
	const op = "find the default branch"
	for _, name := range []string{"main", "master"} {
		tip, err := r.readRef(ctx, "refs/heads/"+name)
		if err != nil {
			return "", err
		}
		if tip != "" {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: the remote origin names none, and there is neither main nor master", op)
}

// originHead is the default branch of the remote origin.
func (r *Repo) originHead(ctx context.Context) (name string, ok bool) {
	const prefix = "refs/remotes/origin/"
	if r.reftable() {
		out, err := r.storeGit().run(ctx, "read "+prefix+"HEAD", nil, "symbolic-ref", "--quiet", prefix+"HEAD")
		name, ok = strings.CutPrefix(strings.TrimSpace(string(out)), prefix)
		return name, ok && err == nil
	}
	text, err := os.ReadFile(filepath.Join(r.CommonDir, filepath.FromSlash(prefix+"HEAD")))
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "+prefix)
}

// BranchTip is the commit of a branch of this clone, or else of origin's; "" if neither has it.
func (r *Repo) BranchTip(ctx context.Context, name string) (string, error) {
	tip, err := r.readRef(ctx, "refs/heads/"+name)
	if err != nil || tip != "" {
		return tip, err
	}
	return r.readRef(ctx, "refs/remotes/origin/"+name)
}

// If a folder has changed since the moment, its names at the moment are not known any more. Often the command
// itself has made something there which git ignores (a first __pycache__), and the tree is unchanged. So the
// names in the folders are read before git is asked: if a folder had not changed by then, they are its names at
// the moment, and if all names that were added or removed since are ignored, the tree is that of the moment.

// maxEarly bounds the folders that are read early if no snapshot says which ones matter.
const maxEarly = 500

// names are the entries of a folder: each name, and whether it is a folder.
type names map[string]bool

// earlyNames are the names in the folders that have not changed since the moment.
func (w *WorktreeReader) earlyNames() map[string]names {
	all := map[string]names{}
	take := func(path string) {
		f := folder{path: path}
		children, ok := f.read(w)
		if !ok || !w.at.before(f.stamp) || lstamp(w.path(path)) != f.stamp {
			return
		}
		all[path] = names{}
		for _, child := range children {
			all[path][child.Name()] = child.IsDir()
		}
	}
	if s, ok := w.load(); ok {
		for _, f := range s.folders {
			take(f.path)
		}
		return all
	}
	for queue := []string{""}; len(queue) > 0 && len(all) < maxEarly; queue = queue[1:] {
		take(queue[0])
		for name, isDir := range all[queue[0]] {
			if isDir && name != ".git" {
				queue = append(queue, strings.TrimPrefix(queue[0]+"/"+name, "/"))
			}
		}
	}
	return all
}

// changedNames are the paths that were added to a folder or removed from it since was,
// those of folders with a slash at the end.
func changedNames(path string, was names, now []os.DirEntry) (paths []string) {
	add := func(name string, isDir bool) {
		below := strings.TrimPrefix(path+"/"+name, "/")
		if isDir {
			below += "/"
		}
		paths = append(paths, below)
	}
	left := make(names, len(was))
	for name, isDir := range was {
		left[name] = isDir
	}
	for _, child := range now {
		if isDir, ok := left[child.Name()]; ok && isDir == child.IsDir() {
			delete(left, child.Name())
			continue
		}
		add(child.Name(), child.IsDir())
	}
	for name, isDir := range left {
		add(name, isDir)
	}
	return paths
}
