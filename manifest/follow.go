package manifest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cairn/internal/lockfile"
)

// A capture is acknowledged when its line is in the shard. The branch follows:
// the capture that finds no helper at work starts one, a process of its own that
// waits for the burst to end, folds, and is gone when nothing is pending. The lock
// followLock says that a helper is at work. It is taken before the helper starts
// and handed over to it, so that of many captures one starts it; and the
// helper looks once more after it has let go of the lock, so that no line is left
// to a helper that does not see it.

const (
	followLock = localDir + "/follow.lock"
	// burstPause without an append is the end of a burst.
	burstPause = 300 * time.Millisecond
	// burstMost is how long a burst may put a fold off: the branch follows within
	// two seconds.
	burstMost = 1500 * time.Millisecond
	// refusedPause is how long no helper is started after git refused a fold. A branch
	// may be checked out for a whole day, and each helper would prepare all pending lines
	// for nothing.
	refusedPause = 30 * time.Second
)

// FoldLater leaves what is pending to a helper. Where none is at work, start is
// called with the lock for one that shall Follow. It may keep the file beyond its
// return only by handing it to that process. When the last fold was refused the
// Report says why.
func (m *Manifest) FoldLater(start func(lock *os.File) error) (Report, error) {
	st := m.loadFold()
	r := Report{Why: st.Refused, Trouble: st.Refused != ""}
	if r.Trouble {
		r.Pending = m.countPending(st)
	}
	if r.Trouble && m.within(st.RefusedAt, refusedPause) {
		return r, nil
	}
	lock, err := m.lockFollow()
	if lock == nil || err != nil {
		return r, err
	}
	defer lock.Close() // a copy of it keeps the lock
	return r, start(lock)
}

// First says that nothing was ever folded here, and that little is pending. Who captures
// for the first time looks at the branch next: that fold is not left to a helper.
func (m *Manifest) First() bool {
	const little = 100
	st := m.loadFold()
	return st.Tip == "" && st.Refused == "" && m.countPending(st) <= little
}

// lockFollow takes the lock of the helper. It returns nil if a helper holds the lock, or
// if there is nothing that a helper could do.
func (m *Manifest) lockFollow() (*os.File, error) {
	path := m.path(followLock)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if os.IsNotExist(err) {
		return nil, nil // nothing was ever appended, or all was removed
	}
	if err != nil {
		return nil, fmt.Errorf("opening the lock of the helper that folds: %w", err)
	}
	if _, taken, err := lockfile.Try(f); err != nil || !taken {
		f.Close()
		return nil, err
	}
	return f, nil
}

// A Settler makes durable what captures have recorded without waiting for the disk.
type Settler interface {
	Unsettled() bool // says whether there is something to settle that no other process is settling
	Settle(context.Context) error
}

// Follow is the life of the helper: at the end of each burst it settles what was not
// synced and folds what is pending, and returns when nothing is, or when git refuses.
// lock is what FoldLater gave; nil takes it, where it cannot be handed over. A manifest
// that is removed meanwhile is not made again.
func (m *Manifest) Follow(ctx context.Context, lock *os.File, s Settler) error {
	for m.exists() && ctx.Err() == nil {
		if lock == nil {
			var err error
			if lock, err = m.lockFollow(); lock == nil {
				return err
			}
		}
		err := m.followBursts(ctx, s)
		lock.Close()
		lock = nil
		if err != nil || m.loadFold().Refused != "" || m.countPending(m.loadFold()) == 0 && !s.Unsettled() {
			return err
		}
	}
	if lock != nil {
		lock.Close()
	}
	return ctx.Err()
}

// followBursts settles and folds until nothing is pending.
func (m *Manifest) followBursts(ctx context.Context, s Settler) error {
	for m.countPending(m.loadFold()) > 0 {
		if err := m.waitBurst(ctx); err != nil || !m.exists() {
			return err
		}
		unsettled := s.Settle(ctx) // what cannot be settled keeps nothing else from the branch
		r, err := m.Fold(ctx, FoldOptions{Wait: true})
		if err = errors.Join(unsettled, err); err == nil && r.Why != "" && m.loadFold().Refused == "" {
			err = errors.New(r.Why) // this process cannot, the next one may
		}
		if err != nil || r.Why != "" || r.Folded == 0 {
			return err
		}
	}
	return s.Settle(ctx)
}

// waitBurst returns when nothing was appended for a while.
func (m *Manifest) waitBurst(ctx context.Context) error {
	const look = burstPause / 3
	st := m.loadFold()
	count := m.countPending(st)
	begun := time.Now()
	for grown := begun; time.Since(begun) < burstMost && time.Since(grown) < burstPause; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
		if now := m.countPending(st); now != count {
			count, grown = now, time.Now()
		}
	}
	return nil
}

// exists says whether the shards are still there.
func (m *Manifest) exists() bool {
	_, err := os.Stat(m.path(shardsDir))
	return err == nil
}
