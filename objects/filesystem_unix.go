//go:build unix

package objects

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// closeBeforeRename is false: an open file can be renamed here, so its lock is kept
// until it has its final name.
const closeBeforeRename = false

// linkNew renames by link and unlink. A crash in between leaves both names. The next gc
// removes the old one, a temporary file or a finished spool.
func linkNew(from, to string) error {
	if err := os.Link(from, to); err != nil {
		if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOTSUP) {
			return renameUnlessExists(from, to) // the file system has no hard links
		}
		return err
	}
	return os.Remove(from)
}
