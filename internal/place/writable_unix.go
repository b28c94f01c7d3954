//go:build unix

package place

import "golang.org/x/sys/unix"

// writable asks the kernel with the effective ids, so that it holds for root,
// for read-only mounts and for access lists alike.
func writable(dir string) bool {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil
}
