package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Stall is how long a server may transfer fewer than stallBytes before the request is ended: longer than a busy server
// takes to answer, shorter than a person waits.
const (
	Stall      = time.Minute
	stallBytes = 1 << 10
)

// ErrStalled means that a server has stopped in the middle, or sends only single bytes.
var ErrStalled = errors.New("it has stopped sending and taking bytes; see whether it is up, and do the same again")

// Transport returns the HTTP transport for backends: a request whose server stalls at any point ends with ErrStalled.
func Transport(stall time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // bodies are hashed as they were pushed
	t.MaxIdleConnsPerHost = parallel
	return stalling{t, stall}
}

type stalling struct {
	http.RoundTripper
	after time.Duration
}

func (s stalling) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	w := &watch{after: s.after, ctx: ctx}
	host := request.URL.Host
	w.timer = time.AfterFunc(s.after, func() { cancel(fmt.Errorf("%s: %w", host, ErrStalled)) })
	w.stop = func() {
		w.timer.Stop()
		cancel(nil)
	}
	request = request.WithContext(ctx)
	if request.Body != nil && request.Body != http.NoBody {
		request.Body = watched{request.Body, w, false}
		w.sent = movedOf(ctx)
	}
	answer, err := s.RoundTripper.RoundTrip(request)
	if err != nil {
		err = w.cause(err)
		w.stop()
		return nil, err
	}
	w.timer.Reset(s.after)
	answer.Body = watched{answer.Body, w, true}
	return answer, nil
}

// watch has the timer of one request.
type watch struct {
	after time.Duration
	timer *time.Timer
	ctx   context.Context
	stop  func()
	sent  func(int) // counts what is sent

	mu  sync.Mutex
	was int // bytes transferred when the timer began
}

func (w *watch) moved(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.was += n; w.was >= stallBytes && w.ctx.Err() == nil {
		w.was = 0
		w.timer.Reset(w.after)
	}
}

// cause returns ErrStalled in place of err if err comes from a stalled server, else err.
func (w *watch) cause(err error) error {
	if cause := context.Cause(w.ctx); err != nil && err != io.EOF && errors.Is(cause, ErrStalled) {
		return cause
	}
	return err
}

// watched is a body whose bytes are counted. When the body of an answer ends, so does the request.
type watched struct {
	io.ReadCloser
	w      *watch
	answer bool
}

func (b watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.w.moved(n)
	if !b.answer {
		b.w.sent(n)
	} else {
		err = b.w.cause(err)
	}
	return n, err
}

func (b watched) Close() error {
	if b.answer {
		defer b.w.stop()
	}
	return b.ReadCloser.Close()
}

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
