//go:build !linux && !darwin

package gitrepo

import (
	"io/fs"
	"time"
)

// changedAt is the time at which a file's content was written.
func changedAt(st fs.FileInfo) time.Time { return st.ModTime() }
