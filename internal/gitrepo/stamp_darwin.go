package gitrepo

import (
	"io/fs"
	"syscall"
	"time"
)

// inodeOf is the inode number of a file and the time of its last change, which no
// program can set back.
func inodeOf(st fs.FileInfo) (number uint64, change time.Time, ok bool) {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, false
	}
	return sys.Ino, time.Unix(sys.Ctimespec.Unix()), true
}

// stampClock is the clock that the kernel uses for file times.
func stampClock() time.Time { return time.Now() }
