package child

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWiden: a pipe is made to hold more when much has come through it, and all comes.
func TestWiden(t *testing.T) {
	for _, size := range []int{widenAfter - 1, widenAfter + 100_000} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := r.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		before := pipeSize(t, r)
		go func() {
			defer w.Close()
			w.Write(make([]byte, size))
		}()
		var counted counter
		o := &output{stream: Stdout, file: r, raw: raw}
		o.read(newCollector(&counted, time.Now()))
		if int(counted) != size || o.err != nil {
			t.Errorf("read %d bytes of %d, %v", counted, size, o.err)
		}
		if after := pipeSize(t, r); (after > before) != (size > widenAfter) || after > before && after != wideSize {
			t.Errorf("after %d bytes the pipe holds %d, before %d", size, after, before)
		}
		r.Close()
	}
}

func pipeSize(t *testing.T, f *os.File) (n int) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { n, err = unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// counter is a Sink that counts.
type counter int

func (n *counter) Chunk(_ Stream, _ time.Duration, p []byte) error {
	*n += counter(len(p))
	return nil
}
