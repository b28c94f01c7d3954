package objects

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// closeBeforeRename: Windows refuses to rename a file that is open without delete
// sharing, as Go opens it.
const closeBeforeRename = true

// lockOffset lies past any content, since locks are mandatory here and must not
// keep others from reading the bytes.
const lockOffset = 0x7fffffff

func tryLock(f *os.File, exclusive bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockOffset})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

// syncDir: there is no such call; NTFS journals its directories.
func syncDir(string) error { return nil }

func renameNew(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	if err := windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
