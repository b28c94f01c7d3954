package manifest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/durable"
	"cairn/internal/lockfile"
)

// lockPatience is how long a writer waits for the append lock. An append
// holds it for one write and one fsync, so a wait this long means a stopped
// process or a dead disk, and a capture should say so instead of hanging.
const lockPatience = 30 * time.Second

// tryLock takes the lock at path if it is free and gives its release; nil
// when another holds it.
func tryLock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, durable.FileMode)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), durable.DirMode); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, durable.FileMode)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if _, held, err := lockfile.Try(f); err != nil || !held {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// lock waits for the lock at path until ctx ends or patience runs out.
func lock(ctx context.Context, path string, patience time.Duration) (unlock func(), err error) {
	nap, waited := 50*time.Microsecond, time.Duration(0)
	for {
		unlock, err := tryLock(path)
		if unlock != nil || err != nil {
			return unlock, err
		}
		if waited >= patience {
			return nil, fmt.Errorf("%s is held by another process for %s; see which one with lsof or fuser", path, patience)
		}
		timer := time.NewTimer(nap)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("waiting for %s: %w", path, ctx.Err())
		case <-timer.C:
		}
		waited += nap
		nap = min(2*nap, 5*time.Millisecond)
	}
}
