//go:build unix

package stage

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// narrow is what the pipe of a command holds at first. It stands before the pipe that the
	// reader reads from, and what both hold together is how far the command can get ahead of its
	// reader: with little more than the shell's own pipe holds, it is stopped, or ended by a reader that
	// leaves, where it would have been. It is a few pages, so that what a program writes at once mostly stays together.
	narrow = 16 << 10
	// wide is what it holds once wideAfter bytes have come through, for speed.
	wide      = 256 << 10
	wideAfter = 1 << 20
	// pipeSize is what a pipe of the shell holds.
	pipeSize = 64 << 10
	page     = 4 << 10
)

// tap passes the output of a command on to its reader, and to the sink of its run.
type tap struct {
	of   *Run
	in   int // what the command prints
	out  int // to the reader
	stop int

	mu   sync.Mutex // held while bytes are neither in in nor in out
	size int64
	left bool          // after done: in and out are open, and something may still print
	cut  bool          // after done: the reader left before the command had ended its output
	done chan struct{} // closed when no more is read
}

// newTap makes the pipe of a command; w is the end that the command writes to.
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
	// No one reads any more, or no one writes. What was written and is not read is kept, and who
	// still writes learns that the reader has left.
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

// pass moves what has come, as far as the reader's pipe has room for it. It is kept first: what a reader has seen is not
// lost, whatever ends this process.
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

// limit is how much is moved at once: little at first, so that a write does not wait, and the
// command cannot get ahead by what is on the way.
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

// take keeps what is in the pipe, passes it on to no one, and closes the pipe: at once behind the last read, so that
// who writes has hardly time to write more. It says whether there was nothing, since all had gone on and the output
// had ended.
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

// flush waits until what the command has written has gone on.
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
