//go:build unix

package lockfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func try(f *os.File, exclusive bool) (func() error, bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return func() error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }, true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return nil, false, nil
		case !errors.Is(err, unix.EINTR):
			return nil, false, fmt.Errorf("locking %s: %w", f.Name(), err)
		}
	}
}
