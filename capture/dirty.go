package capture

import (
	"context"
	"time"
)

// A finished capture waits to learn whether the working tree had changes for a
// tenth of the time that its command took, but at least and at most so long. Git
// has had that time for it, and where it was too short, as in a huge repository
// or for a command of a moment, the record says nothing rather than cost.
const (
	dirtyPatience     = time.Millisecond
	mostDirtyPatience = 50 * time.Millisecond
)

// askDirty asks git beside the child. Nothing comes when git does not know, and
// none is asked about a command that has ended already: it would not answer in time.
func (c *capture) askDirty() {
	repo, answer := c.site.Repo, make(chan bool, 1)
	if repo.Commit == "" || repo.TopLevel == "" || c.ended() {
		return
	}
	ctx, cancel := context.WithCancel(c.gitCtx)
	c.dirty, c.undirty = answer, cancel
	go func() {
		defer close(answer)
		if dirty, err := repo.Dirty(ctx); err == nil {
			answer <- dirty
		}
	}()
}

// takeDirty puts the answer into the record, if there is one in time.
func (c *capture) takeDirty() {
	if c.dirty == nil {
		return
	}
	defer c.undirty()
	tenth := time.Duration(c.rec.DurationMS) * time.Millisecond / 10
	patience := time.NewTimer(min(max(tenth, dirtyPatience), mostDirtyPatience))
	defer patience.Stop()
	select {
	case dirty, known := <-c.dirty:
		if known {
			c.rec.Git.Dirty = &dirty
		}
	case <-patience.C:
	}
}

// ended says that the command has.
func (c *capture) ended() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}
