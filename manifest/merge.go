package manifest

import (
	"context"
	"fmt"
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
		switch why, err := m.unfit(ctx, t.Commit); {
		case err != nil:
			r.fail(r.Pending, err)
			return r, nil
		case why != "":
			r.Why, r.Trouble = t.Ref+" was not merged: "+why, true
			continue
		}
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

// unfit says why a commit of another clone is not merged: it holds no manifest, or
// a shard that nobody could read.
func (m *Manifest) unfit(ctx context.Context, commit string) (why string, err error) {
	files, err := m.opts.Branch.Files(ctx, commit)
	if err != nil {
		return "", err
	}
	why = "it holds no manifest"
	var oids []string
	for _, f := range files {
		if _, _, ok := parseShardPath(f.Path); !ok {
			continue
		}
		why = ""
		if f.Size > maxRead {
			return tooLargeToMerge(f.Path, f.Size), nil
		}
		if f.Size < 0 { // git was not asked
			oids = append(oids, f.OID)
		}
	}
	sizes, err := m.opts.Branch.BlobSizes(ctx, oids)
	for _, f := range files {
		if n := sizes[f.OID]; n > maxRead {
			return tooLargeToMerge(f.Path, n), err
		}
	}
	return why, err
}

func tooLargeToMerge(path string, size int64) string {
	return fmt.Sprintf("%s has %d bytes, and no shard has more than %d", path, size, maxRead)
}
