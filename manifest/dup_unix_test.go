//go:build unix

package manifest

import (
	"os"
	"syscall"
)

// dup is what a child process gets of a file.
func dup(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	return os.NewFile(uintptr(fd), f.Name()), err
}
