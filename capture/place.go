package capture

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// gitPatience bounds the wait for git where the files alone do not say which repository
// this is. Git answers in milliseconds, on a cold network disk in about a second. The
// command starts only afterwards, since what it does could change the answer.
const gitPatience = 2 * time.Second

// openSite finds the place of the command. Where git does not answer, the
// capture waits, or goes to CAIRN_DIR, into shards only: the next command that
// finds git well takes it from there. cancel ends what ctx carries.
func openSite(ctx context.Context, cancel context.CancelFunc, o Options) (*place.Site, error) {
	warn := func(w manifest.Warning) { o.Warn(w.String()) }
	// The place goes on using ctx, so it gets no deadline, but is cancelled.
	late := time.AfterFunc(gitPatience, cancel)
	site, err := place.Open(ctx, o.Command.Dir, o.Env, warn)
	if late.Stop() || err == nil {
		return site, err
	}
	p, err2 := place.WithoutGit(o.Command.Dir, o.Env, fmt.Sprintf("git did not answer within %s", gitPatience))
	if err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return &place.Site{Place: p, Objects: objects.Open(p.Dir), Manifest: manifest.Open(p.Dir, manifest.Options{Warn: warn})}, nil
}

// Whether the working tree had changes when the command started: git is asked while the
// command runs, and only if it runs longer than dirtyDelay, since for a shorter command
// the answer would come too late. When the command has ended, the capture waits for the
// answer for a tenth of the time that the command took, but at least dirtyPatience and at
// most mostDirtyPatience. Without an answer the record does not say whether there were
// changes.
const (
	dirtyDelay        = 5 * time.Millisecond
	dirtyPatience     = time.Millisecond
	mostDirtyPatience = 50 * time.Millisecond
)

// dirtyQuestion is the question while it is being answered.
type dirtyQuestion struct {
	cancel context.CancelFunc
	asked  chan struct{} // closed when git is asked
	answer chan bool     // closed without an answer when there is none
}

// askDirty asks about the moment at which the command started.
func (c *capture) askDirty(started time.Time) {
	if c.site == nil || c.site.Repo == nil || c.site.Repo.Commit == "" || c.site.Repo.TopLevel == "" {
		return
	}
	ctx, cancel := context.WithCancel(c.gitCtx)
	q := &dirtyQuestion{cancel: cancel, asked: make(chan struct{}), answer: make(chan bool, 1)}
	c.dirty = q
	go func() {
		defer close(q.answer)
		select {
		case <-ctx.Done():
			return
		case <-time.After(dirtyDelay):
		}
		close(q.asked)
		if dirty, known, err := c.site.Repo.DirtyAt(ctx, started); known && err == nil {
			q.answer <- dirty
		}
	}()
}

// takeDirty puts the answer into the record, if there is one in time.
func (c *capture) takeDirty() {
	if c.dirty == nil {
		return
	}
	defer c.dirty.cancel()
	select {
	case <-c.dirty.asked:
	default:
		return
	}
	tenth := time.Duration(c.rec.DurationMS) * time.Millisecond / 10
	patience := time.NewTimer(min(max(tenth, dirtyPatience), mostDirtyPatience))
	defer patience.Stop()
	select {
	case dirty, known := <-c.dirty.answer:
		if known {
			c.rec.Git.Dirty = &dirty
		}
	case <-patience.C:
	}
}

// gitOf is the state of the repository at the start of the run.
func gitOf(s *place.Site, red *redact.Redactor) *manifest.Git {
	if s.Repo == nil {
		return nil
	}
	return &manifest.Git{Commit: s.Repo.Commit, Tree: s.Repo.Tree, Branch: cut(red.String(s.Repo.Branch), maxName)}
}

// workspaceOf is the workspace of a record's directory, in this clone.
func workspaceOf(s *place.Site, rec *manifest.Record) result.Workspace {
	w := s.Workspace
	w.Dir = filepath.Join(w.Root, filepath.FromSlash(rec.Dir))
	return w
}
