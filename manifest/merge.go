package manifest

import (
	"context"
	"strings"
)

// Merge brings the records of the remotes' branches into the own branch as
// one merge commit, so that pushing it is a fast-forward. It folds first.
// Reading does not need it: records of remotes are read where they are.
func (m *Manifest) Merge(ctx context.Context) (Report, error) {
	r, err := m.Fold(ctx, FoldOptions{Wait: true})
	if err != nil || r.Why != "" {
		return r, err
	}
	unlock, err := lock(ctx, m.path(foldLock), foldPatience)
	if err != nil {
		return r, err
	}
	defer unlock()
	remotes, err := m.opts.Branch.Remotes(ctx)
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	var tips, names []string
	for _, t := range remotes {
		tips = append(tips, t.Commit)
		names = append(names, strings.TrimPrefix(t.Ref, "refs/remotes/"))
	}
	if len(tips) == 0 {
		return r, nil
	}
	before, err := m.opts.Branch.Tip(ctx)
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	after, err := m.opts.Branch.MergeTips(ctx, tips, mergeFile, "merge records of "+strings.Join(names, ", "), m.opts.Now())
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	if after != before {
		r.Commit = after
	}
	return r, nil
}
