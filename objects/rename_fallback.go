package objects

import (
	"io/fs"
	"os"
)

// renameUnlessExists is the last resort where the file system can neither refuse
// to replace nor link. Two processes may both get past the check; then both had
// the same bytes, for the name is their digest, and either file is good.
func renameUnlessExists(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
