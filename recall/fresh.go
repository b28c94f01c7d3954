package recall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// Freshness says in a few words how far a capture still speaks of the working
// tree: the same tree, or how many of the files that its findings name have
// changed since. Empty when nothing can be said.
func Freshness(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) string {
	if s.Repo == nil || s.Repo.TopLevel == "" || rec.Git == nil {
		return ""
	}
	if same, known := sameTree(ctx, s, rec); known && same {
		return "same tree as now"
	}
	files := filesOf(r)
	if len(files) == 0 {
		return commitWords(s, rec)
	}
	changed := changedSince(s, rec, files)
	return fmt.Sprintf("%d of %d files named have changed since", len(changed), len(files))
}

// sameTree: the commit's tree is the same, and neither then nor now was
// anything changed on top of it.
func sameTree(ctx context.Context, s *place.Site, rec *manifest.Record) (same, known bool) {
	if rec.Git.Tree == "" || rec.Git.Tree != s.Repo.Tree {
		return false, true
	}
	if rec.Git.Dirty == nil || *rec.Git.Dirty {
		return false, false
	}
	dirty, err := s.Repo.Dirty(ctx)
	return !dirty, err == nil
}

func commitWords(s *place.Site, rec *manifest.Record) string {
	switch {
	case rec.Git.Commit == "":
		return ""
	case rec.Git.Commit == s.Repo.Commit:
		return "same commit, with changes"
	}
	return "another commit: " + rec.Git.Commit[:min(len(rec.Git.Commit), 12)]
}

// filesOf are the files of the workspace that findings name.
func filesOf(r *result.ToolResult) (files []string) {
	for _, f := range findingsOf(r) {
		if f.At != nil && !f.At.External && !slices.Contains(files, f.At.Path) {
			files = append(files, f.At.Path)
		}
	}
	return files
}

// changedSince goes by the time of the last change: it is set by whoever
// writes a file, git's checkout included, so it never misses a change; a file
// written again with the same content counts as changed.
func changedSince(s *place.Site, rec *manifest.Record, files []string) (changed []string) {
	for _, f := range files {
		info, err := os.Stat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(f)))
		if err != nil || info.ModTime().After(rec.Time) {
			changed = append(changed, f)
		}
	}
	return changed
}
