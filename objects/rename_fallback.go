package objects

import (
	"io/fs"
	"os"
)

// renameUnlessExists is for file systems that can neither rename without replacing nor
// link. Two processes may both pass the check; then both have the same bytes, since the
// name is their digest, and either file is good.
func renameUnlessExists(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
