//go:build unix

package gitrepo

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// physical is dir as the system spells it, without links, since git starts from getcwd.
// On other systems than Linux a file system may take two spellings for one name, and
// only the system knows which is right.
func physical(dir string) (string, bool) {
	if wd, err := syscall.Getwd(); err == nil && filepath.IsAbs(wd) && sameFile(wd, dir) {
		return wd, true
	}
	real, err := filepath.EvalSymlinks(dir)
	return real, err == nil && filepath.IsAbs(real) && runtime.GOOS == "linux"
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func sameDevice(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Dev == y.Dev
}

// ownedByUs says whether the file is this user's. For another's files git checks
// safe.directory, and under sudo the user that called it.
func ownedByUs(path string) bool {
	st, err := os.Lstat(path)
	if err != nil {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	me := os.Geteuid()
	if _, sudo := os.LookupEnv("SUDO_UID"); sudo && me == 0 {
		return false
	}
	return ok && int(sys.Uid) == me
}
