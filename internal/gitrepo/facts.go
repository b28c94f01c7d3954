package gitrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// The ids of the tree without entries, which git knows in every repository.
const (
	emptyTreeSHA1   = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	emptyTreeSHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
)

func (r *Repo) emptyTree() string {
	if r.ObjectFormat == "sha256" {
		return emptyTreeSHA256
	}
	return emptyTreeSHA1
}

// statusFlags ask for facts only: no rename guessing, and no walk through the working
// trees of submodules (a submodule counts as changed if it is at another commit).
var statusFlags = []string{"status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames"}

// Dirty reports whether a tracked file, in the index or in the working tree,
// differs from HEAD (from nothing, when there is no commit yet). Untracked
// files do not count. Content decides, not time stamps. Without a working tree
// the answer is false.
//
// It is `git status`, the one command that compares contents and leaves the index
// file alone when told so (`git diff` refreshes it): milliseconds, or
// seconds in a huge repository; cancel ctx to give up.
func (r *Repo) Dirty(ctx context.Context) (bool, error) {
	if r.TopLevel == "" {
		return false, nil
	}
	out, err := r.treeGit().run(ctx, "compare the working tree with HEAD", nil, statusFlags...)
	return len(out) > 0 && err == nil, err
}

// TreeOf is the tree of a commit. It is an error if the commit is not in this clone.
func (r *Repo) TreeOf(ctx context.Context, commit string) (string, error) {
	if err := r.checkOID("read a commit", commit); err != nil {
		return "", err
	}
	out, err := r.storeGit().run(ctx, "read commit "+commit, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{tree}")
	return strings.TrimSpace(string(out)), err
}

// maxArgs bounds the paths given to one process, in bytes: Windows takes
// 32,767 characters in all, Linux 128 KiB for the smallest stack.
const maxArgs = 24 << 10

// ChangedSince returns those of paths whose content in the working tree differs
// from commit, in the order asked and spelled as asked. A path is absolute or
// relative to TopLevel. Files git does not track, and paths outside the working
// tree, are never reported: nothing is known about them.
func (r *Repo) ChangedSince(ctx context.Context, commit string, paths []string) ([]string, error) {
	if r.TopLevel == "" || len(paths) == 0 {
		return nil, nil
	}
	if err := r.checkOID("compare files with a commit", commit); err != nil {
		return nil, err
	}
	inside := r.insidePaths(paths)
	differs := map[string]bool{}
	for batch := range batches(inside) {
		if err := r.compare(ctx, commit, batch, differs); err != nil {
			return nil, err
		}
	}
	var changed []string
	for i, p := range paths {
		if differs[inside[i]] {
			changed = append(changed, p)
		}
	}
	return changed, nil
}

// batches splits the non-empty paths into arguments for single processes.
func batches(paths []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		var batch []string
		size := 0
		for _, p := range paths {
			if p == "" {
				continue
			}
			if size > 0 && size+len(p) > maxArgs {
				if !yield(batch) {
					return
				}
				batch, size = nil, 0
			}
			batch, size = append(batch, p), size+len(p)+1
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// compare adds to differs the files of paths that differ from commit. `git diff-index`
// never writes the index, but names every file whose time stamp differs from the
// index's; the content of those is compared.
func (r *Repo) compare(ctx context.Context, commit string, paths []string, differs map[string]bool) error {
	op := "compare files with commit " + commit
	args := []string{"diff-index", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty", commit, "--"}
	out, err := r.treeGit().run(ctx, op, nil, append(args, paths...)...)
	if err != nil {
		return missing(err)
	}
	lines, err := parseRaw(op, out)
	if err != nil {
		return err
	}
	var unsure []rawLine
	for _, l := range lines {
		if l.newOID == r.zeroOID() && l.oldMode == l.newMode && l.oldMode != "160000" {
			unsure = append(unsure, l)
		} else {
			differs[l.path] = true
		}
	}
	return r.compareContent(ctx, unsure, differs)
}

// compareContent hashes files as git would when adding them, its filters included.
func (r *Repo) compareContent(ctx context.Context, files []rawLine, differs map[string]bool) error {
	var list strings.Builder
	var listed []rawLine
	for _, f := range files {
		if f.oldMode == "120000" {
			target, err := os.Readlink(filepath.Join(r.TopLevel, filepath.FromSlash(f.path)))
			differs[f.path] = err != nil || r.blobOID([]byte(target)) != f.oldOID
			continue
		}
		listed = append(listed, f)
		list.WriteString(quotePath(f.path) + "\n")
	}
	if len(listed) == 0 {
		return nil
	}
	out, err := r.treeGit().run(ctx, "hash files of the working tree", []byte(list.String()), "hash-object", "--stdin-paths")
	if err != nil {
		return err
	}
	oids := strings.Fields(string(out))
	for i, f := range listed {
		differs[f.path] = i >= len(oids) || oids[i] != f.oldOID
	}
	return nil
}

// blobOID is git's id of content as a blob.
func (r *Repo) blobOID(data []byte) string { return r.objectOID(plumbing.BlobObject, data) }

// objectOID is git's id of an object.
func (r *Repo) objectOID(kind plumbing.ObjectType, data []byte) string {
	if r.ObjectFormat != "sha256" {
		return plumbing.ComputeHash(kind, data).String()
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// quotePath is path as a line of git's input.
func quotePath(path string) string {
	if !strings.Contains(path, "\n") && !strings.HasPrefix(path, `"`) {
		return path
	}
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`, `\`, `\\`).Replace(path) + `"`
}

// insidePaths are paths relative to TopLevel as git spells them, "" when outside.
func (r *Repo) insidePaths(paths []string) []string {
	inside := make([]string, len(paths))
	for i, p := range paths {
		p = filepath.ToSlash(p)
		if filepath.IsAbs(filepath.FromSlash(p)) {
			rest, ok := strings.CutPrefix(p, strings.TrimSuffix(filepath.ToSlash(r.TopLevel), "/")+"/")
			if p = rest; !ok {
				p = ".."
			}
		}
		p = path.Clean(p)
		if p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") || strings.IndexByte(p, 0) >= 0 {
			p = ""
		}
		inside[i] = p
	}
	return inside
}

// clockSlack is how far the time stamps of a file system may be behind the clock: they
// come from a clock that ticks every few milliseconds.
const clockSlack = 20 * time.Millisecond

// DirtyAt reports whether a tracked file, in the index or in the working tree, differed
// from Commit at the past time start. It may be called while a command that began at
// start changes files: a file that changed since says nothing about the time before.
// known is false if that leaves the answer open.
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

// treeDirtyAt compares the working tree with the index. `git diff-files` names every
// file whose time stamps differ from the index's, and so also a file that the command
// has restored.
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
		case l.oldMode == "160000" || !olderThan(path, since) || !r.inPlaceSince(path, since):
			sure = false
		case l.newMode != l.oldMode: // deleted, unmerged, another mode or kind
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
		path := filepath.Join(r.TopLevel, filepath.FromSlash(l.path))
		unchanged := olderThan(path, since) && r.inPlaceSince(path, since)
		dirty = dirty || differs[l.path] && unchanged
		sure = sure && unchanged
	}
	return dirty, sure, nil
}

// inPlaceSince says whether no folder between the top of the working tree and path
// changed since a time. If a command moved a folder there, it has old files in it, and
// a symbolic link shows the files of another folder.
func (r *Repo) inPlaceSince(path string, since time.Time) bool {
	for dir := filepath.Dir(path); len(dir) > len(r.TopLevel); dir = filepath.Dir(dir) {
		st, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // olderThan handles it
		}
		if err != nil || !changedAt(st).Before(since) {
			return false
		}
	}
	return true
}

// rawDiff runs one of git's comparisons that do not write the index.
func (r *Repo) rawDiff(ctx context.Context, op, command string, args ...string) ([]rawLine, error) {
	flags := []string{command, "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"}
	out, err := r.treeGit().run(ctx, op, nil, append(flags, args...)...)
	if err != nil {
		return nil, missing(err)
	}
	return parseRaw(op, out)
}

// olderThan says whether nothing at path changed since a time. If the path does not exist, the
// time of its directory decides, since that changes when an entry is removed.
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

// ChangedAt is when the file of st last changed, as far as the system shows it: a
// program may set back the time of its content, but not that of the change.
func ChangedAt(st fs.FileInfo) time.Time { return changedAt(st) }

// Untracked returns those of paths that git does not track, spelled as given. A path is
// absolute or relative to TopLevel. A path outside the working tree is not tracked.
func (r *Repo) Untracked(ctx context.Context, paths []string) ([]string, error) {
	if r.TopLevel == "" {
		return paths, nil
	}
	inside := r.insidePaths(paths)
	tracked := map[string]bool{}
	for batch := range batches(inside) {
		out, err := r.treeGit().run(ctx, "ask which files are tracked", nil, append([]string{"ls-files", "-z", "--"}, batch...)...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			tracked[name] = true
		}
	}
	var left []string
	for i, p := range paths {
		if inside[i] == "" || !tracked[inside[i]] {
			left = append(left, p)
		}
	}
	return left, nil
}

// treeOrStore is git in the working tree if there is one, since HEAD is each worktree's own.
func (r *Repo) treeOrStore() git {
	if r.TopLevel == "" {
		return r.storeGit()
	}
	return r.treeGit()
}
