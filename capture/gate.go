package capture

import (
	"bytes"
	"sync"
	"time"

	"cairn/capture/child"
)

const (
	// gateRoom bounds what waits in memory until there is a place to keep it, in
	// bytes: some milliseconds of a fast command. Beyond it the child waits, as for
	// any reader.
	gateRoom = 1 << 20
	// gateChunk is what holding a chunk costs beyond its bytes.
	gateChunk = 64
)

// gate lets the child's output be read from its first byte on, before git has
// said where it is to be kept. Reading early is what makes the order of the
// two streams mean something: bytes that have waited in two pipes have lost it.
type gate struct {
	mu     sync.Mutex
	opened *sync.Cond
	to     child.Sink // nil until opened
	held   []heldChunk
	size   int
}

type heldChunk struct {
	stream child.Stream
	at     time.Duration
	data   []byte
}

func newGate() *gate {
	g := new(gate)
	g.opened = sync.NewCond(&g.mu)
	return g
}

// Chunk holds a copy of p, or passes it on once the gate is open.
func (g *gate) Chunk(s child.Stream, at time.Duration, p []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.to == nil && g.size+len(p)+gateChunk > gateRoom && g.size > 0 {
		g.opened.Wait()
	}
	if g.to != nil {
		return g.to.Chunk(s, at, p)
	}
	g.held = append(g.held, heldChunk{s, at, bytes.Clone(p)})
	g.size += len(p) + gateChunk
	return nil
}

// open hands over what was held, and from then on everything. The sink's
// errors are its own affair.
func (g *gate) open(to child.Sink) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.held {
		to.Chunk(c.stream, c.at, c.data)
	}
	g.to, g.held = to, nil
	g.opened.Broadcast()
}
