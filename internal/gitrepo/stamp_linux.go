package gitrepo

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// inodeOf is the inode number of a file and the time of its last change, which no
// program can set back.
func inodeOf(st fs.FileInfo) (number uint64, change time.Time, ok bool) {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, false
	}
	return sys.Ino, time.Unix(sys.Ctim.Unix()), true
}

// stampClock is the clock that the kernel uses for file times. It ticks every few
// milliseconds, so it is behind the clock that programs read.
func stampClock() time.Time {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &ts) != nil {
		return time.Now().Add(-clockSlack)
	}
	return time.Unix(ts.Unix())
}
