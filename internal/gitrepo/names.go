package gitrepo

import (
	"context"
	"fmt"
	"strings"
)

// Range lists the commits of a range in git's syntax: A..B, A...B, A.. or ..B.
func (r *Repo) Range(ctx context.Context, span string) ([]string, error) {
	if strings.HasPrefix(span, "-") {
		return nil, fmt.Errorf("%q is not a range of commits", span)
	}
	out, err := r.treeOrStore().run(ctx, "list the commits of "+span, nil, "rev-list", "--end-of-options", span, "--")
	if err != nil {
		return nil, fmt.Errorf("git knows no range of commits %q", span)
	}
	return strings.Fields(string(out)), nil
}

// TreeNamed is the tree of a commit, a tag, a branch, or a tree with this name.
func (r *Repo) TreeNamed(ctx context.Context, name string) (string, error) {
	out, err := r.treeOrStore().run(ctx, "find the tree of "+name, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{tree}")
	if err != nil || strings.HasPrefix(name, "-") {
		return "", fmt.Errorf("git knows no tree %q", name)
	}
	return strings.TrimSpace(string(out)), nil
}

// CommitsOf lists the commits of all refs whose tree is in trees, which are hashes or
// beginnings of hashes.
func (r *Repo) CommitsOf(ctx context.Context, trees []string) (commits []string, err error) {
	out, err := r.treeOrStore().run(ctx, "list the trees of all commits", nil, "log", "--all", "--no-show-signature", "--format=%T %H", "HEAD", "--")
	if err != nil { // HEAD has no commit yet
		out, err = r.storeGit().run(ctx, "list the trees of all commits", nil, "log", "--all", "--no-show-signature", "--format=%T %H", "--")
	}
	for _, line := range lines(string(out)) {
		tree, commit, _ := strings.Cut(line, " ")
		for _, t := range trees {
			if strings.HasPrefix(tree, t) {
				commits = append(commits, commit)
			}
		}
	}
	return commits, err
}

// MergeBase is the newest common ancestor of two commits; "" if they have none in common.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	op := "find what " + a + " and " + b + " were made from"
	for _, oid := range []string{a, b} {
		if err := r.checkOID(op, oid); err != nil {
			return "", err
		}
	}
	out, err := r.storeGit().run(ctx, op, nil, "merge-base", a, b)
	if err != nil && exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
