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

// Freshness says in a few words whether a capture still describes the working tree: the
// tree is the same, or how many of the files that its findings name have changed since.
// It is "" if nothing can be said. Of files that git does not track, only those that
// findings name count.
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

// sameTree says whether the commit's tree is the same, and neither then nor now was
// anything changed on top of it.
func sameTree(ctx context.Context, s *place.Site, rec *manifest.Record) bool {
	if wasDirty(rec) || s.Repo.Tree == "" {
		return false
	}
	if rec.Git.Commit != s.Repo.Commit {
		tree, err := s.Repo.TreeOf(ctx, rec.Git.Commit)
		if err != nil || tree != s.Repo.Tree {
			return false // the commit is not in this clone, so it is another one
		}
	}
	dirty, err := s.Repo.Dirty(ctx)
	return err == nil && !dirty
}

// wasDirty says whether tracked files were changed when the capture ran, or may have been.
func wasDirty(rec *manifest.Record) bool { return rec.Git.Dirty == nil || *rec.Git.Dirty }

func commitWords(s *place.Site, rec *manifest.Record) string {
	switch {
	case rec.Git.Commit == "":
		return ""
	case rec.Git.Commit == s.Repo.Commit && rec.Git.Dirty == nil:
		return "same commit" // a very short command ends before git has said whether there were changes
	case rec.Git.Commit == s.Repo.Commit:
		return "same commit, with changes"
	}
	return "another commit: " + rec.Git.Commit[:min(len(rec.Git.Commit), 12)]
}

// filesOf are the workspace files that findings name.
func filesOf(r *result.ToolResult) (files []string) {
	for _, f := range findingsOf(r) {
		if f.At != nil && !f.At.External && !slices.Contains(files, f.At.Path) {
			files = append(files, f.At.Path)
		}
	}
	return files
}

// untrackedSince are the files that git does not track and that may have changed since
// the capture. Git does not compare their contents, so the time of the inode change
// (ctime) decides, which no program can set back. If the record's time lies in the
// future, because of a wrong clock, it says nothing.
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
