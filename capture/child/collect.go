package child

import (
	"sync/atomic"
	"time"
)

const (
	// bufferSize is the most one read takes unless the sink has room of its own, and what a pipe holds by default.
	bufferSize = 64 << 10
	// wideSize is what a pipe is made to hold, where the system can, once widenAfter bytes have come through it. A gigabyte
	// that is hashed and parsed beside takes a tenth less time with it, and no less with 1 MiB. Most outputs are
	// short, and what all pipes of a user may hold is limited.
	wideSize   = 256 << 10
	widenAfter = 1 << 20
)

// collector hands what the readers read to the sink, one chunk at a time.
//
// A reader takes the turn, reads, delivers, and gives the turn back, so that the order of delivery is the order
// of reading and one buffer serves both. The turn is a channel because a channel serves those who wait for it first come,
// first served; a mutex would let a busy stream pass a waiting one by.
type collector struct {
	turn    chan struct{}
	room    func() []byte // where to read to
	sink    Sink
	sinkErr error
	started time.Time

	busy atomic.Bool  // a chunk is being delivered: no one can say whether the child is silent
	last atomic.Int64 // when the last delivery ended, since started
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

// deliver is called by the holder of the turn.
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

// silence is how long no output has come, 0 during a delivery.
func (c *collector) silence() time.Duration {
	if c.busy.Load() {
		return 0
	}
	return time.Since(c.started) - time.Duration(c.last.Load())
}
