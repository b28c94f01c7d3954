//go:build unix

package child

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepLimit bounds in bytes the last look into a pipe that is still open: the most that an ordinary user's pipe
// holds.
const sweepLimit = 1 << 20

// output is one open end of the child's output.
type output struct {
	stream Stream
	file   *os.File
	raw    syscall.RawConn
	size   int // bytes read so far

	open bool  // after reading: the output has not ended
	err  error // after reading: the error that stopped it, other than the end or cut
}

func (s *stdio) add(stream Stream, f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		f.Close()
		return ownTrouble("read", stream.String(), err)
	}
	s.outputs = append(s.outputs, &output{stream: stream, file: f, raw: raw})
	return nil
}

// leave passes copies of the outputs that are still open to to.
func (s *stdio) leave(to func(Stream, *os.File)) {
	for _, o := range s.outputs {
		if !o.open {
			continue
		}
		o.raw.Control(func(fd uintptr) {
			if copied, err := unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 3); err == nil {
				to(o.stream, os.NewFile(uintptr(copied), o.file.Name()))
			}
		})
	}
}

// past is a deadline in the past.
var past = time.Unix(1, 0)

// cut makes read stop soon, wherever it waits.
func (o *output) cut() { o.file.SetReadDeadline(past) }

// read delivers the output until its end or until cut, and then the bytes that are still in the pipe.
func (o *output) read(c *collector) {
	var n int
	var rerr error
	ready := func(fd uintptr) bool {
		c.take()
		defer c.give()
		buf := c.room()
		n, rerr = readFD(fd, buf)
		if n > 0 {
			c.deliver(o.stream, buf[:n])
			if o.size += n; o.size >= widenAfter && o.size-n < widenAfter {
				widen(fd)
			}
		}
		return rerr != unix.EAGAIN
	}
	for {
		err := o.raw.Read(ready)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			o.sweep(c)
			return
		case err != nil:
			o.err = err
			return
		case rerr != nil:
			o.err = rerr
			return
		case n == 0:
			return
		}
	}
}

// sweep delivers the bytes in the pipe without waiting, when reading was cut.
func (o *output) sweep(c *collector) {
	o.err = o.raw.Control(func(fd uintptr) {
		for total := 0; total < sweepLimit; {
			c.take()
			buf := c.room()
			n, err := readFD(fd, buf)
			if n > 0 {
				c.deliver(o.stream, buf[:n])
			}
			c.give()
			if n <= 0 {
				o.open = err != nil
				return
			}
			total += n
		}
		o.open = true
	})
}

// readFD is read(2), but EIO counts as the end: so a pseudo-terminal ends when its other side is closed.
func readFD(fd uintptr, p []byte) (int, error) {
	for {
		n, err := unix.Read(int(fd), p)
		switch err {
		case nil:
			return n, nil
		case unix.EINTR:
			continue
		case unix.EIO:
			return 0, nil
		}
		return 0, err
	}
}
