package capture

import (
	"errors"
	"io"
	"time"

	"cairn/capture/child"
	"cairn/internal/streams"
)

// keeper takes the child's chunks: order first, then bytes, then whoever else
// wants to see them. When keeping fails it goes on showing.
type keeper struct {
	spool interface {
		io.Writer
		io.ReaderAt
		Size() int64
	}
	order interface {
		add(streams.Run) error
		io.ReaderAt
		Size() int64
	}
	tail  *tail
	runs  streams.Builder
	watch []watcher
	err   error
}

// watcher sees chunks as they come. Its errors are its own affair: a closed
// terminal must not stop a capture.
type watcher interface {
	chunk(s child.Stream, p []byte)
}

// Chunk keeps p. It never fails, so that the watchers see all of the output;
// what keeping ran into is in err.
func (k *keeper) Chunk(s child.Stream, at time.Duration, p []byte) error {
	for _, w := range k.watch {
		w.chunk(s, p)
	}
	if k.err == nil {
		k.err = k.keep(s, at, p)
	}
	return nil
}

func (k *keeper) keep(s child.Stream, at time.Duration, p []byte) error {
	if run, begins := k.runs.Chunk(int(s), at, k.spool.Size()); begins {
		if err := k.order.add(run); err != nil {
			return err
		}
	}
	_, err := k.spool.Write(p)
	k.tail.grow(k.spool.Size(), k.order.Size())
	return err
}

// passer passes the output through as it comes.
type passer struct {
	stdout, stderr io.Writer
	err            error
}

func (w *passer) chunk(s child.Stream, p []byte) {
	to := w.stdout
	if s == child.Stderr {
		to = w.stderr
	}
	if _, err := to.Write(p); err != nil {
		w.err = errors.Join(w.err, err)
	}
}
