package objects

import (
	"os"

	"golang.org/x/sys/windows"
)

// closeBeforeRename: Windows refuses to rename a file that is open without delete
// sharing, as Go opens it.
const closeBeforeRename = true

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
