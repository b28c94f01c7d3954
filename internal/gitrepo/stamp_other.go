//go:build !linux && !darwin

package gitrepo

import (
	"io/fs"
	"time"
)

// inodeOf is not available on this system.
func inodeOf(fs.FileInfo) (number uint64, change time.Time, ok bool) { return 0, time.Time{}, false }

// stampClock is the clock that the kernel uses for file times, or a little before it.
func stampClock() time.Time { return time.Now().Add(-clockSlack) }
