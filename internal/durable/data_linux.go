package durable

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData makes the content and the size of f durable, without its times.
func syncData(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}
