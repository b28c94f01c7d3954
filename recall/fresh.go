package recall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// Freshness says in a few words how far a capture still speaks of the working
// tree: the same tree, or how many of the files that its findings name have
// changed since. Empty when nothing can be said. Of files that git does not
// track, only those that are named count.
func Freshness(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) string {
	if s.Repo == nil || s.Repo.TopLevel == "" || rec.Git == nil {
		return ""
	}
	files := filesOf(r)
	touched := touchedSince(s, rec, files)
	if len(touched) == 0 && sameTree(ctx, s, rec) {
		if touched = untrackedSince(ctx, s, rec, files); len(touched) == 0 {
			return "same tree as now"
		}
	}
	if len(files) == 0 {
		return commitWords(s, rec)
	}
	if !wasDirty(rec) || rec.Git.Commit != s.Repo.Commit {
		other, err := s.Repo.ChangedSince(ctx, rec.Git.Commit, files)
		if err != nil { // the commit is not in this clone, or there was none
			return commitWords(s, rec)
		}
		for _, f := range other {
			touched = addNew(touched, f)
		}
	}
	return fmt.Sprintf("%d of %d files named have changed since", len(touched), len(files))
}

// sameTree: the commit's tree is the same, and neither then nor now was
// anything changed on top of it.
func sameTree(ctx context.Context, s *place.Site, rec *manifest.Record) bool {
	if wasDirty(rec) || s.Repo.Tree == "" {
		return false
	}
	if rec.Git.Commit != s.Repo.Commit {
		tree, err := s.Repo.TreeOf(ctx, rec.Git.Commit)
		if err != nil || tree != s.Repo.Tree {
			return false // a commit that is not in this clone is another one
		}
	}
	dirty, err := s.Repo.Dirty(ctx)
	return err == nil && !dirty
}

// wasDirty: tracked files were changed when it ran, as far as is known.
func wasDirty(rec *manifest.Record) bool { return rec.Git.Dirty == nil || *rec.Git.Dirty }

func commitWords(s *place.Site, rec *manifest.Record) string {
	switch {
	case rec.Git.Commit == "":
		return ""
	case rec.Git.Commit == s.Repo.Commit && rec.Git.Dirty == nil:
		return "same commit" // a command of a moment ends before git has said whether there were changes
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

// untrackedSince are the files that git does not track and that may have changed since
// the capture. Git compares no contents of theirs, so what decides is the time of the
// change, which no program can set back. If a record is from the future, by a
// clock that is wrong, its time says nothing.
func untrackedSince(ctx context.Context, s *place.Site, rec *manifest.Record, files []string) (touched []string) {
	untracked, err := s.Repo.Untracked(ctx, files)
	if err != nil {
		return files
	}
	for _, f := range untracked {
		info, err := os.Stat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(f)))
		if err != nil || gitrepo.ChangedAt(info).After(rec.Time) || rec.Time.After(time.Now()) {
			touched = append(touched, f)
		}
	}
	return touched
}

// touchedSince goes by the time of the last change: it is set by the program that
// writes a file, git's checkout included, so within one working tree it misses
// no change; a file written again with the same content counts as changed.
func touchedSince(s *place.Site, rec *manifest.Record, files []string) (touched []string) {
	for _, f := range files {
		info, err := os.Stat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(f)))
		if err != nil || info.ModTime().After(rec.Time) {
			touched = append(touched, f)
		}
	}
	return touched
}
