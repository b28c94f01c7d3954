package capture

import (
	"context"
	"time"
)

// dirtyPatience is how long a finished capture waits to learn whether the
// working tree had changes: git answers in a few milliseconds in a repository
// of ordinary size; in a huge one the record says nothing rather than cost.
const dirtyPatience = 5 * time.Millisecond

// askDirty asks git beside the child. Nothing comes when git does not know.
func (c *capture) askDirty() <-chan bool {
	answer := make(chan bool, 1)
	ctx, cancel := context.WithCancel(c.ctx)
	c.cancel = append(c.cancel, cancel)
	repo := c.site.Repo
	go func() {
		defer close(answer)
		if repo.Commit == "" || repo.TopLevel == "" {
			return
		}
		if dirty, err := repo.Dirty(ctx); err == nil {
			answer <- dirty
		}
	}()
	return answer
}

// takeDirty puts the answer into the record, if there is one in time.
func (c *capture) takeDirty() {
	if c.dirty == nil {
		return
	}
	select {
	case dirty, known := <-c.dirty:
		if known {
			c.rec.Git.Dirty = &dirty
		}
	case <-time.After(dirtyPatience):
	}
}
