//go:build unix

package child

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepLimit bounds the last look into a pipe that is still open: the most a pipe holds for an ordinary user.
const sweepLimit = 1 << 20

// output is one open end of the child's output.
type output struct {
	stream Stream
	file   *os.File
	raw    syscall.RawConn
	size   int // bytes that were read

	open bool  // after reading: not at its end
	err  error // after reading: why it stopped, if not for the end or for cut
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

// leave hands over copies of the outputs that are still open.
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

// past is a deadline that is over.
var past = time.Unix(1, 0)

// cut makes read stop soon, wherever it waits.
func (o *output) cut() { o.file.SetReadDeadline(past) }

// read delivers all there is until the end, or until cut; then what had come by then.
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

// sweep takes what already was in the pipe when reading was cut, without waiting.
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

// readFD is read(2). The end of a pseudo-terminal is EIO: everyone has closed the other side.
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
