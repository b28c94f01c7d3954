package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// HooksDir is the folder of this clone's hooks: core.hooksPath, or "hooks" in the
// repository.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	out, err := r.treeOrStore().run(ctx, "find the folder of hooks", nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	dir := filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.treeOrStore().dir, dir)
	}
	return filepath.Clean(dir), nil
}

// StagedTree is the tree of the index, which a commit would have now. Inside a hook of
// git commit it is the index that is being committed. The tree is written to the
// repository, as the commit would write it.
func (r *Repo) StagedTree(ctx context.Context) (string, error) {
	if r.TopLevel == "" {
		return "", errors.New("a bare repository has no index")
	}
	out, err := r.treeGit().run(ctx, "write the tree of the index", nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// AddTrailers adds trailers to the commit message in a file, even if it has others already.
func (r *Repo) AddTrailers(ctx context.Context, file string, trailers []string) error {
	args := []string{"interpret-trailers", "--in-place", "--no-divider", "--where", "end", "--if-exists", "add", "--if-missing", "add"}
	for _, t := range trailers {
		args = append(args, "--trailer", t)
	}
	_, err := r.treeOrStore().run(ctx, "add trailers to "+file, nil, append(args, file)...)
	return err
}

// Replaying says whether git is repeating earlier commits: in a rebase, a cherry-pick
// or a revert.
func (r *Repo) Replaying() bool {
	for _, name := range []string{"rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD", "sequencer"} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, name)); err == nil {
			return true
		}
	}
	return false
}
