package capture

import (
	"errors"
	"io"
	"sync"

	"cairn/internal/streams"
)

// maxMemory bounds what is held of an output that can be kept nowhere else: it
// is for showing what happened, not for keeping.
const maxMemory = 16 << 20

var errMemoryFull = errors.New("the output could not be kept and grew beyond memory: only its beginning was parsed")

// memory is a spool or an order without a place to put it.
type memory struct {
	mu   sync.Mutex
	data []byte
}

func (m *memory) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.data)+len(p) > maxMemory {
		return 0, errMemoryFull
	}
	m.data = append(m.data, p...)
	return len(p), nil
}

func (m *memory) Size() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.data))
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if off >= int64(len(m.data)) {
		return 0, io.EOF
	}
	n := copy(p, m.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// add makes a memory an order.
func (m *memory) add(r streams.Run) error {
	_, err := m.Write(r.Append(nil))
	return err
}
