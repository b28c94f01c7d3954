//go:build unix

package place

import (
	"io/fs"
	"os"
	"syscall"
)

// owned says whether the file is this user's.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
