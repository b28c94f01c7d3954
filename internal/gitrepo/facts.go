package gitrepo

import (
	"context"
	"path"
	"path/filepath"
	"strings"
)

// The tree without entries. Git knows it in every repository.
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

// diffFlags ask for facts only: no program of the user's, no rename guessing,
// and no walk through the working trees of submodules (a submodule counts as
// changed when it is at another commit).
var diffFlags = []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=dirty", "--no-relative"}

// Dirty reports whether a tracked file, in the index or in the working tree,
// differs from Commit (from nothing, when there is no commit yet). Untracked
// files do not count. Content decides, not time stamps; the index is not
// refreshed on disk. Without a working tree the answer is false.
//
// It costs what `git status -uno` costs: milliseconds, or seconds in a huge
// repository; cancel ctx to give up.
func (r *Repo) Dirty(ctx context.Context) (bool, error) {
	if r.TopLevel == "" {
		return false, nil
	}
	base := r.Commit
	if base == "" {
		base = r.emptyTree()
	}
	args := append(diffFlags[:len(diffFlags):len(diffFlags)], "--quiet", base, "--")
	_, err := r.treeGit().run(ctx, "compare the working tree with "+base, nil, args...)
	if exitCode(err) == 1 && ctx.Err() == nil {
		return true, nil
	}
	return false, err
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
	inside := make([]string, len(paths))
	differs := map[string]bool{}
	var batch []string
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := r.diffNames(ctx, commit, batch, differs)
		batch, size = nil, 0
		return err
	}
	for i, p := range paths {
		if inside[i] = r.insidePath(p); inside[i] == "" {
			continue
		}
		if size+len(inside[i]) > maxArgs {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch, size = append(batch, inside[i]), size+len(inside[i])+1
	}
	if err := flush(); err != nil {
		return nil, err
	}
	var changed []string
	for i, p := range paths {
		if differs[inside[i]] {
			changed = append(changed, p)
		}
	}
	return changed, nil
}

func (r *Repo) diffNames(ctx context.Context, commit string, paths []string, into map[string]bool) error {
	args := append(diffFlags[:len(diffFlags):len(diffFlags)], "--name-only", "-z", commit, "--")
	out, err := r.treeGit().run(ctx, "compare files with commit "+commit, nil, append(args, paths...)...)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" {
			into[name] = true
		}
	}
	return nil
}

// insidePath is p relative to TopLevel as git spells it, "" when outside.
func (r *Repo) insidePath(p string) string {
	p = filepath.ToSlash(p)
	if filepath.IsAbs(filepath.FromSlash(p)) {
		rest, ok := strings.CutPrefix(p, strings.TrimSuffix(filepath.ToSlash(r.TopLevel), "/")+"/")
		if !ok {
			return ""
		}
		p = rest
	}
	p = path.Clean(p)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") || strings.IndexByte(p, 0) >= 0 {
		return ""
	}
	return p
}
