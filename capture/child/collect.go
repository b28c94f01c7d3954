package child

import (
	"sync/atomic"
	"time"
)

const (
	// bufferSize is the most bytes that one read takes, unless the sink has its own buffer. It is also what a pipe
	// holds by default.
	bufferSize = 64 << 10
	// wideSize is what a pipe is made to hold, if the system can, after widenAfter bytes have come through it. A
	// gigabyte that is hashed and parsed at the same time takes a tenth less time with it, and 1 MiB gains no more.
	// Pipes start small, since most outputs are short and the system limits the bytes in all pipes of a user.
	wideSize   = 256 << 10
	widenAfter = 1 << 20
)

// collector hands what the readers read to the sink, one chunk at a time.
//
// A reader takes the turn, reads, delivers, and gives the turn back, so that chunks are delivered in
// the order of reading and one buffer is enough. The turn is a channel because a channel serves its
// waiters in the order in which they came; with a mutex a busy stream could overtake a waiting one.
type collector struct {
	turn    chan struct{}
	room    func() []byte // returns the buffer to read into
	sink    Sink
	sinkErr error
	started time.Time

	busy atomic.Bool  // a chunk is being delivered, so the child cannot be called silent
	last atomic.Int64 // when the last delivery ended, in nanoseconds after started
}

func newCollector(sink Sink, started time.Time) *collector {
	c := &collector{turn: make(chan struct{}, 1), sink: sink, started: started}
	if roomy, ok := sink.(Roomy); ok {
		c.room = roomy.Room
	} else {
		buf := make([]byte, bufferSize)
		c.room = func() []byte { return buf }
	}
	return c
}

func (c *collector) take() { c.turn <- struct{}{} }
func (c *collector) give() { <-c.turn }

// deliver passes bytes of a stream to the sink. The caller holds the turn.
func (c *collector) deliver(s Stream, p []byte) {
	at := time.Since(c.started)
	if c.sink != nil && c.sinkErr == nil {
		c.busy.Store(true)
		c.sinkErr = c.sink.Chunk(s, at, p)
		at = time.Since(c.started)
		c.busy.Store(false)
	}
	c.last.Store(int64(at))
}

// silence is how long no output has come; 0 during a delivery.
func (c *collector) silence() time.Duration {
	if c.busy.Load() {
		return 0
	}
	return time.Since(c.started) - time.Duration(c.last.Load())
}
