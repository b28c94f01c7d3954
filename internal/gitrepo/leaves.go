package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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
