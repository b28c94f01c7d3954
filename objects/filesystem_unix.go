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
