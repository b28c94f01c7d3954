package gitrepo

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is the later of a file's two times: the time of its content can be
// set back, that of its change cannot.
func changedAt(st fs.FileInfo) time.Time {
	at := st.ModTime()
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		if change := time.Unix(sys.Ctimespec.Unix()); change.After(at) {
			return change
		}
	}
	return at
}
