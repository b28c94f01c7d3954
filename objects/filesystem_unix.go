//go:build unix

package objects

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// closeBeforeRename: an open file can be renamed here, so its lock is kept until
// it has its final name.
const closeBeforeRename = false

func tryLock(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return errLocked
		case nil:
			return nil
		default:
			return &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
	}
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems cannot sync a directory and say so; there is no more to do.
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}

// linkNew renames by link and unlink. A crash in between leaves both names, which
// the next gc tidies: the old one is a temporary file or a finished spool.
func linkNew(from, to string) error {
	if err := os.Link(from, to); err != nil {
		if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOTSUP) {
			return renameUnlessExists(from, to) // no hard links on this file system
		}
		return err
	}
	return os.Remove(from)
}
