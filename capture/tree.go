package capture

import (
	"context"
	"errors"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
)

// The tree of the working directory at the start is found out while the command runs:
// at once if only few files changed since the last time, else by asking git, and only
// if the command runs longer than treeDelay, since for a shorter one the answer would
// come too late. After the command has ended, the capture waits for the answer for a
// tenth of the command's time, but at least treePatience and at most mostTreePatience.
// Without an answer the record says why it is missing.
const (
	treeDelay        = 5 * time.Millisecond
	treePatience     = time.Millisecond
	mostTreePatience = 50 * time.Millisecond
)

// snapshotPatience bounds the time to make a snapshot for the next capture.
const snapshotPatience = 30 * time.Second

// treeQuestion is the question about the tree while it is being answered.
type treeQuestion struct {
	reader *gitrepo.WorktreeReader
	cancel context.CancelFunc
	answer chan treeAnswer
}

// treeAnswer is what is known of the tree at the start.
type treeAnswer struct {
	id    string // "" if unknown
	dirty *bool  // nil if unknown
	err   error  // why the id is not known
}

// askTree asks for the tree at a moment right before the command started.
func (c *capture) askTree(at gitrepo.Moment, started time.Time) {
	if c.site == nil {
		return
	}
	w := c.site.WorktreeAt(at)
	if w == nil {
		return
	}
	ctx, cancel := context.WithCancel(c.gitCtx)
	q := &treeQuestion{reader: w, cancel: cancel, answer: make(chan treeAnswer, 1)}
	c.tree = q
	go func() { q.answer <- readTree(ctx, c.site.Repo, w, started) }()
}

// readTree answers the question. If files changed since the start, it only asks git
// whether there were changes before, which git may still know.
func readTree(ctx context.Context, r *gitrepo.Repo, w *gitrepo.WorktreeReader, started time.Time) treeAnswer {
	wait := func() { // the code below notices a cancelled context
		select {
		case <-ctx.Done():
		case <-time.After(treeDelay - time.Since(started)):
		}
	}
	if w.Large() {
		wait()
	}
	tree, known := w.Known(ctx)
	var err error
	if !known {
		wait()
		tree, err = w.Read(ctx)
	}
	if err == nil {
		return treeAnswer{id: tree.ID, dirty: &tree.Dirty}
	}
	a := treeAnswer{err: err}
	if dirty, known, err := r.DirtyAt(ctx, started); known && err == nil {
		a.dirty = &dirty
	}
	return a
}

// takeTree puts the answer into the record, if it came in time.
func (c *capture) takeTree() {
	if c.tree == nil {
		return
	}
	defer c.tree.cancel()
	tenth := time.Duration(c.rec.DurationMS) * time.Millisecond / 10
	patience := time.NewTimer(min(max(tenth, treePatience), mostTreePatience))
	defer patience.Stop()
	git := c.rec.Git
	select {
	case a := <-c.tree.answer:
		git.Worktree, git.Dirty = a.id, a.dirty
		git.WorktreeMoved = errors.Is(a.err, gitrepo.ErrMoved)
		if a.err != nil && !git.WorktreeMoved {
			git.WorktreeUnknown = whyNoTree(a.err)
		}
	case <-patience.C:
		git.WorktreeUnknown = manifest.WorktreeLate
		c.tree.reader.WantSnapshot()
	}
	if git.Commit == "" {
		git.Dirty = nil // without a commit there is nothing to differ from
	}
}

// whyNoTree is the reason in the record. It leaves out git's own words, which may name files.
func whyNoTree(err error) string {
	switch {
	case errors.Is(err, gitrepo.ErrTooLarge):
		return manifest.WorktreeLarge
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return manifest.WorktreeLate
	}
	return manifest.WorktreeRefused
}

// Snapshot reads the working tree for the next capture of a site, if the last one had
// no time to.
func Snapshot(ctx context.Context, s *place.Site) {
	w := s.WorktreeAt(gitrepo.Now())
	if w == nil || !w.SnapshotWanted() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotPatience)
	defer cancel()
	if _, known := w.Known(ctx); !known {
		w.Read(ctx) // keeps its result; if it fails, the next capture asks git again
	}
}
