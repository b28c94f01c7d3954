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

func try(f *os.File) (func() error, bool, error) {
	at := windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return func() error { return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at) }, true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("locking %s: %w", f.Name(), err)
}
