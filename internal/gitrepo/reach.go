package gitrepo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

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
