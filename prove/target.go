package prove

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/recall"
)

// ErrNoChecks means that the tree declares no checks.
var ErrNoChecks = errors.New("no checks are declared: write " + ChecksFile + "; cairn prove --suggest shows what could stand in it")

// Declared says whether the files here declare checks, or did so at the base, since a removed declaration counts, too.
// It is cheaper than Ask.
func Declared(ctx context.Context, s *place.Site) (bool, error) {
	if s.Repo == nil {
		return false, nil
	}
	if _, err := os.Lstat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(ChecksFile))); !errors.Is(err, fs.ErrNotExist) {
		return err == nil, err
	}
	t := &target{site: s, repo: s.Repo, commit: s.Repo.Commit, here: true}
	base, err := t.findBase(ctx, "")
	if err != nil || base == "" {
		return false, err
	}
	return t.repo.HasFile(ctx, base, ChecksFile)
}

// target is the tree to judge, and the one to compare it with.
type target struct {
	site   *place.Site
	repo   *gitrepo.Repo
	tree   string
	commit string // HEAD, or the given commit
	base   string // a commit, or ""
	reader *gitrepo.WorktreeReader

	here     bool // the tree is the working tree
	staged   bool // the tree is the index
	baseTree gitrepo.Leaves
	leaves   gitrepo.Leaves
	changed  []string // files that differ from the base
}

// findTarget resolves a revision: "" is the working tree, A..B is B compared with A, and a commit is compared with its
// first parent.
func findTarget(ctx context.Context, s *place.Site, o Options) (*target, error) {
	rev, base := o.Rev, o.Base
	t := &target{site: s, repo: s.Repo, here: rev == "" && !o.Staged, staged: o.Staged}
	if t.repo == nil {
		return nil, errors.New("there is no git repository here, so there is no tree to prove anything of")
	}
	var err error
	if from, to, isRange := strings.Cut(rev, ".."); isRange {
		if base == "" {
			base = strings.TrimPrefix(from, ".")
		}
		if rev = strings.TrimPrefix(to, "."); rev == "" {
			rev = "HEAD"
		}
	}
	if t.staged {
		t.commit = t.repo.Commit
		t.tree, err = t.repo.StagedTree(ctx)
	} else if t.here {
		t.commit = t.repo.Commit
		t.tree, t.reader, err = recall.PresentTree(ctx, s)
	} else if t.commit, err = t.repo.CommitOf(ctx, rev); err == nil {
		t.tree, err = t.repo.TreeNamed(ctx, t.commit)
	}
	if err != nil {
		return nil, fmt.Errorf("finding the tree: %w", err)
	}
	if t.base, err = t.findBase(ctx, base); err != nil {
		return nil, err
	}
	return t, t.compare(ctx)
}

// findBase is the given commit; else where the branch left the default branch, or a commit's first parent.
func (t *target) findBase(ctx context.Context, base string) (string, error) {
	switch {
	case base != "":
		return t.repo.CommitOf(ctx, base)
	case t.commit == "":
		return "", nil
	case !t.here && !t.staged:
		parent, err := t.repo.CommitOf(ctx, t.commit+"^")
		if err != nil {
			parent = "" // the first commit
		}
		return parent, nil
	}
	branch, err := t.repo.DefaultBranch(ctx)
	if err != nil || branch == t.repo.Branch {
		return t.commit, nil // without a default branch, only uncommitted changes count
	}
	tip, err := t.repo.BranchTip(ctx, branch)
	if err != nil || tip == "" {
		return t.commit, nil
	}
	if tip == t.commit {
		return tip, nil
	}
	return t.repo.MergeBase(ctx, tip, t.commit)
}

// compare lists the files that differ from the base.
func (t *target) compare(ctx context.Context) (err error) {
	if t.base == "" || t.base == t.repo.Commit && t.repo.Tree == t.tree {
		return nil
	}
	if t.baseTree, err = t.repo.Leaves(ctx, t.base); err != nil {
		return fmt.Errorf("reading the base: %w", err)
	}
	now, err := t.files(ctx)
	if err != nil {
		return err
	}
	t.changed = t.baseTree.Differ(now)
	return nil
}

// files are the files of the tree.
func (t *target) files(ctx context.Context) (gitrepo.Leaves, error) {
	if t.leaves != nil {
		return t.leaves, nil
	}
	if t.reader != nil {
		t.leaves = t.reader.Leaves()
		return t.leaves, nil
	}
	var err error
	t.leaves, err = t.repo.Leaves(ctx, t.tree)
	return t.leaves, err
}

// since lists the files that differ between another tree and this one; known is false if the other tree is no longer
// available.
func (t *target) since(ctx context.Context, tree string) (files []string, known bool) {
	now, err := t.files(ctx)
	if err != nil || tree == "" {
		return nil, false
	}
	w := t.reader
	if w == nil {
		w = t.site.WorktreeAt(gitrepo.Now())
	}
	then, ok := gitrepo.Leaves(nil), false
	if w != nil {
		then, ok = w.LeavesOf(tree)
	}
	if !ok {
		if then, err = t.repo.Leaves(ctx, tree); err != nil {
			return nil, false
		}
	}
	return then.Differ(now), true
}

// text is the content of a file in the tree; nil if there is no such file.
func (t *target) text(ctx context.Context, path string) ([]byte, error) {
	if !t.here {
		now, err := t.files(ctx)
		if err != nil {
			return nil, err
		}
		return t.blob(ctx, now.OID(path))
	}
	text, err := os.ReadFile(filepath.Join(t.repo.TopLevel, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// baseText is the content of a file in the base; nil if there is no such file.
func (t *target) baseText(ctx context.Context, path string) ([]byte, error) {
	return t.blob(ctx, t.baseTree.OID(path))
}

func (t *target) blob(ctx context.Context, oid string) (text []byte, err error) {
	if oid == "" {
		return nil, nil
	}
	err = t.repo.ReadBlobs(ctx, []string{oid}, func(_ string, data []byte) error {
		text = append([]byte{}, data...)
		return nil
	})
	return text, err
}
