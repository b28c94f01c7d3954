package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// checkedOutAt returns where ref is checked out, "" when nowhere. A branch that
// is being rebased counts: git puts it back at the end.
func (r *Repo) checkedOutAt(ctx context.Context, ref string) (string, error) {
	if r.reftable() {
		return r.askCheckedOut(ctx, ref)
	}
	if headIs(r.CommonDir, ref) {
		// A bare repository has a HEAD too, but nothing checked out. Only git
		// can tell from inside a linked worktree.
		if r.GitDir == r.CommonDir {
			if !r.Bare {
				return r.CommonDir, nil
			}
		} else if at, err := r.askCheckedOut(ctx, ref); at != "" || err != nil {
			return at, err
		}
	}
	linked, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil && !os.IsNotExist(err) {
		return r.askCheckedOut(ctx, ref)
	}
	for _, d := range linked {
		if dir := filepath.Join(r.CommonDir, "worktrees", d.Name()); headIs(dir, ref) {
			return dir, nil
		}
	}
	return "", nil
}

// headIs reads HEAD and the state of a rebase in one git directory.
func headIs(dir, ref string) bool {
	if target, err := os.Readlink(filepath.Join(dir, "HEAD")); err == nil {
		return filepath.ToSlash(target) == ref // core.preferSymlinkRefs
	}
	for _, f := range []struct{ name, prefix string }{
		{"HEAD", "ref:"}, {"rebase-merge/head-name", ""}, {"rebase-apply/head-name", ""},
	} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.name)))
		if err != nil {
			continue
		}
		if rest, ok := strings.CutPrefix(string(data), f.prefix); ok && strings.TrimSpace(rest) == ref {
			return true
		}
	}
	return false
}

// askCheckedOut reads `git worktree list`.
func (r *Repo) askCheckedOut(ctx context.Context, ref string) (string, error) {
	out, err := r.storeGit().run(ctx, "list the working trees", nil, "worktree", "list", "--porcelain")
	if err != nil {
		return "", err
	}
	at := ""
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case key == "worktree":
			at = value
		case key == "branch" && value == ref:
			return at, nil
		}
	}
	return "", nil
}
