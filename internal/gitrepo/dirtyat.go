package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// clockSlack is how far the time stamps of a file system may lag behind the
// clock: they are taken from one that ticks every few milliseconds.
const clockSlack = 20 * time.Millisecond

// DirtyAt reports whether a tracked file, in the index or in the working tree,
// differed from Commit at the time start, which is over. It may be asked while
// a command that began at start changes files: what changed since says nothing
// of the time before it. known is false when that leaves the answer open.
func (r *Repo) DirtyAt(ctx context.Context, start time.Time) (dirty, known bool, err error) {
	if r.TopLevel == "" || r.Commit == "" {
		return false, false, nil
	}
	since := start.Add(-clockSlack)
	index := filepath.Join(r.GitDir, "index")
	if !olderThan(index, since) {
		return false, false, nil
	}
	staged, err := r.rawDiff(ctx, "compare the index with "+r.Commit, "diff-index", "--cached", r.Commit)
	if err != nil {
		return false, false, err
	}
	dirty, sure, err := r.treeDirtyAt(ctx, since)
	if err != nil || !olderThan(index, since) {
		return false, false, err
	}
	dirty = dirty || len(staged) > 0
	return dirty, dirty || sure, nil
}

// treeDirtyAt compares the working tree with the index. `git diff-files` names
// every file whose time stamps are not those of the index, so that also a file
// which the command has put back is among them.
func (r *Repo) treeDirtyAt(ctx context.Context, since time.Time) (dirty, sure bool, err error) {
	changed, err := r.rawDiff(ctx, "compare the working tree with the index", "diff-files")
	if err != nil {
		return false, false, err
	}
	var old []rawLine
	sure = true
	for _, l := range changed {
		path := filepath.Join(r.TopLevel, filepath.FromSlash(l.path))
		switch {
		case l.oldMode == "160000" || !olderThan(path, since):
			sure = false
		case l.newMode != l.oldMode: // gone, unmerged, another mode or kind
			return true, true, nil
		default:
			old = append(old, l)
		}
	}
	differs := map[string]bool{}
	if err := r.compareContent(ctx, old, differs); err != nil {
		return false, false, err
	}
	for _, l := range old {
		dirty = dirty || differs[l.path] && olderThan(filepath.Join(r.TopLevel, filepath.FromSlash(l.path)), since)
		sure = sure && olderThan(filepath.Join(r.TopLevel, filepath.FromSlash(l.path)), since)
	}
	return dirty, sure, nil
}

// rawDiff is one of git's comparisons that leave the index alone.
func (r *Repo) rawDiff(ctx context.Context, op, command string, args ...string) ([]rawLine, error) {
	flags := []string{command, "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"}
	out, err := r.treeGit().run(ctx, op, nil, append(flags, args...)...)
	if err != nil {
		return nil, missing(err)
	}
	return parseRaw(op, out)
}

// olderThan says that nothing at path changed since a time. Of a path that is
// not there the directory tells, which changes when an entry goes.
func olderThan(path string, since time.Time) bool {
	for {
		if st, err := os.Lstat(path); err == nil {
			return changedAt(st).Before(since)
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}
