package remote

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Progress is the progress of a push or pull.
type Progress struct {
	Done, All int     // objects
	Bytes     int64   // transferred bytes of objects, complete or under way
	Share     float64 // transferred share of all bytes, from 0 to 1
}

// sending counts the transferred objects and bytes.
type sending struct {
	r     *Remote
	all   int
	total int64 // bytes of all objects whose sizes are known

	bodies atomic.Int64 // bytes of bodies that were written

	mu     sync.Mutex
	done   int
	bytes  int64 // bytes of complete objects
	moving int64 // transferred bytes of objects under way
	shown  time.Time
}

// often is the least time between two calls of Progress, except for the last one.
const often = 100 * time.Millisecond

func (s *sending) sent(n int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done += n
	s.bytes += bytes
	s.show(s.done == s.all)
}

func (s *sending) show(last bool) {
	if s.r.Progress == nil || !last && time.Since(s.shown) < often {
		return
	}
	s.shown = time.Now()
	p := Progress{s.done, s.all, s.bytes + s.moving, 1}
	if s.total > 0 {
		p.Share = min(1, float64(p.Bytes)/float64(s.total))
	}
	s.r.Progress(p)
}

type movedKey struct{}

// movedOf returns the function of a context that counts transferred bytes.
func movedOf(ctx context.Context) func(int) {
	if count, is := ctx.Value(movedKey{}).(func(int)); is {
		return count
	}
	return func(int) {}
}

// weigh counts transferred bytes of a body, scaled to the size of its object. Bytes that are sent again are not counted
// again. end removes the object from those under way.
func (s *sending) weigh(ctx context.Context, object, body int64) (counted context.Context, end func()) {
	var was, counts int64
	var over bool
	count := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if was += int64(n); over || body <= 0 || object <= 0 {
			return
		}
		now := int64(float64(object) * min(1, float64(was)/float64(body)))
		s.moving, counts = s.moving+now-counts, now
		s.show(false)
	}
	return context.WithValue(ctx, movedKey{}, count), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.moving, over = s.moving-counts, true
	}
}

// Moved must be called, as bytes are transferred, by a Backend that does not use Transport.
func Moved(ctx context.Context, n int) { movedOf(ctx)(n) }
