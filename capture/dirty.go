package capture

import (
	"context"
	"time"
)

// dirtyPatience is how long a finished capture waits to learn whether the
// working tree had changes. Git has had the time of the command for it, and where
// that was too short the record says nothing rather than cost.
const dirtyPatience = time.Millisecond

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
	patience := time.NewTimer(dirtyPatience)
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
