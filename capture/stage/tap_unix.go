//go:build unix

package stage

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// narrow is how many bytes the pipe of a command holds at first. It comes before the reader's pipe,
	// and the command can get ahead of its reader by what both hold: if that is little more than the
	// shell's own pipe holds, a slow or leaving reader stops or ends the command where it would have
	// without cairn. It is a few pages, so that what a program writes at once mostly stays together.
	narrow = 16 << 10
	// wide is how many bytes it holds after wideAfter bytes have come through, for speed.
	wide      = 256 << 10
	wideAfter = 1 << 20
	// pipeSize is how many bytes a pipe of the shell holds.
	pipeSize = 64 << 10
	page     = 4 << 10
)

// tap passes the output of a command on to its reader, and to the sink of its run.
type tap struct {
	of   *Run
	in   int // the end from which the command's output is read
	out  int // the reader's pipe
	stop int

	mu   sync.Mutex // held while bytes are in neither pipe
	size int64
	left bool          // after done: in and out are open, and a process may still print
	cut  bool          // after done: the reader left before the output had ended
	done chan struct{} // closed when nothing more is read
}

// newTap makes the pipe of a command; w is the end for the command to write to.
func newTap(r *Run, out, stop int) (t *tap, w int, ok bool) {
	var ends [2]int
	if err := pipe(&ends); err != nil {
		return nil, -1, false
	}
	resize(ends[0], narrow)
	unix.SetNonblock(ends[0], true)
	return &tap{of: r, in: ends[0], out: out, stop: stop, done: make(chan struct{})}, ends[1], true
}

// run copies until the command's output ends, its reader leaves, or the line has ended.
func (t *tap) run() {
	defer close(t.done)
	for {
		fds := []unix.PollFd{{Fd: int32(t.out), Events: unix.POLLOUT}, {Fd: int32(t.stop), Events: unix.POLLIN}}
		poll(fds)
		if fds[0].Revents == 0 {
			t.left = true
			return
		}
		if isGone(fds[0]) {
			break
		}
		n, err := t.pass()
		if err == unix.EAGAIN {
			fds := []unix.PollFd{{Fd: int32(t.in), Events: unix.POLLIN}, {Fd: int32(t.stop), Events: unix.POLLIN}, {Fd: int32(t.out)}}
			poll(fds)
			if isGone(fds[2]) {
				break
			}
			if fds[0].Revents == 0 {
				t.left = true
				return
			}
			continue
		}
		if n <= 0 || err != nil {
			break
		}
	}
	// Nothing reads or nothing writes any more. Unread bytes are kept, and a process
	// that still writes learns that the reader has left.
	t.cut = !t.take()
	unix.Close(t.out)
}

// isGone says whether the readers of a pipe have left.
func isGone(fd unix.PollFd) bool { return fd.Revents&(unix.POLLERR|unix.POLLNVAL|unix.POLLHUP) != 0 }

func poll(fds []unix.PollFd) {
	for {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return
		}
	}
}

// pass moves the available bytes, as far as the reader's pipe has room for them. It keeps them
// first, so that bytes which a reader has seen are not lost, whatever ends this process.
func (t *tap) pass() (n int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, p, err := t.read(t.limit())
	if n <= 0 || err != nil {
		return n, err
	}
	t.keep(p)
	for rest := p; len(rest) > 0 && err == nil; {
		var m int
		if m, err = unix.Write(t.out, rest); err == unix.EINTR {
			err = nil
		}
		rest = rest[max(m, 0):]
	}
	return n, err
}

// limit is how many bytes are moved at once: few at first, so that a write does not
// wait and the command cannot get ahead by the bytes on the way.
func (t *tap) limit() int {
	if t.size >= wideAfter {
		return wide
	}
	return max(pipeSize-unread(t.out), page)
}

func (t *tap) read(most int) (n int, p []byte, err error) {
	p = t.of.Sink.Room()
	p = p[:min(len(p), most)]
	for {
		if n, err = unix.Read(t.in, p); err != unix.EINTR {
			return n, p[:max(n, 0)], err
		}
	}
}

func (t *tap) keep(p []byte) {
	t.of.Sink.Chunk(time.Since(t.of.Started), p)
	before := t.size
	if t.size += int64(len(p)); before < wideAfter && t.size >= wideAfter {
		resize(t.in, wide)
	}
}

// take keeps the bytes in the pipe without passing them on, and closes the pipe
// directly after the last read, so that a writer has hardly time to write more. It
// returns true if there were none and the output had ended.
func (t *tap) take() (ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := unread(t.in); ; {
		n, p, err := t.read(wide)
		if rest -= n; rest <= 0 || n <= 0 || err != nil {
			unix.Close(t.in)
			t.in = -1
		}
		if n > 0 && err == nil {
			t.keep(p)
		}
		if t.in < 0 {
			return n == 0 && err == nil
		}
	}
}

// flush waits until all that the command has written was passed on.
func (t *tap) flush() {
	for {
		t.mu.Lock()
		rest := unread(t.in)
		t.mu.Unlock()
		if rest == 0 {
			return
		}
		select {
		case <-t.done:
			return
		case <-time.After(50 * time.Microsecond):
		}
	}
}
