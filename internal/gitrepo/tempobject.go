package gitrepo

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// tempObject creates a new file in dir. os.CreateTemp would make it mode 0600,
// which locks the other users of a shared repository out.
func tempObject(dir string) (*os.File, error) {
	for range 100 {
		name := filepath.Join(dir, "tmp_obj_"+rand.Text()[:10])
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
	return nil, &os.PathError{Op: "create", Path: filepath.Join(dir, "tmp_obj_*"), Err: os.ErrExist}
}
