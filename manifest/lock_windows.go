package manifest

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock tries to lock the open file f; closing f releases it.
func flock(f *os.File) (held bool, err error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir does nothing: Windows has no such call, NTFS journals its names.
func syncDir(string) error { return nil }
