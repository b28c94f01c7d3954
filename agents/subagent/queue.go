package subagent

import (
	"context"
	"slices"
	"sync"
)

// Queue limits how many subagents run at a time. Those that wait get their turns in the
// order in which they came. The zero value is ready to use.
type Queue struct {
	mu      sync.Mutex
	running int
	waiting []*waiter
}

type waiter struct {
	limit int
	turn  chan struct{}
}

// Wait waits until fewer than limit subagents run; with a limit of 0 it does not wait.
// release ends the turn; only its first call counts.
func (q *Queue) Wait(ctx context.Context, limit int) (release func(), err error) {
	p := &waiter{limit, make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, p)
	q.next()
	q.mu.Unlock()
	select {
	case <-p.turn:
		if ctx.Err() == nil {
			return sync.OnceFunc(q.release), nil
		}
		q.release()
	case <-ctx.Done():
		q.leave(p)
	}
	return nil, context.Cause(ctx)
}

// next gives turns to the first who wait, as far as their limits allow. The caller holds
// the lock.
func (q *Queue) next() {
	for len(q.waiting) > 0 && (q.waiting[0].limit == 0 || q.running < q.waiting[0].limit) {
		close(q.waiting[0].turn)
		q.waiting = q.waiting[1:]
		q.running++
	}
}

func (q *Queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.next()
}

// leave takes p out of the queue, or gives its turn back if it has got one meanwhile.
func (q *Queue) leave(p *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := slices.Index(q.waiting, p); at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	} else {
		q.running--
	}
	q.next()
}
