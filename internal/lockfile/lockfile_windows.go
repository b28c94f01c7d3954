package lockfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is a byte far behind any content: a lock on Windows keeps others from
// reading the bytes it covers.
const beyond = 1 << 30

func try(f *os.File, exclusive bool) (func() error, bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	switch {
	case err == nil:
		return func() error { return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at) }, true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("locking %s: %w", f.Name(), err)
}
