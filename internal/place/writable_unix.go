//go:build unix

package place

import "golang.org/x/sys/unix"

// writable asks the kernel with the effective ids, so that the answer is right for
// root, read-only mounts and access lists.
func writable(dir string) bool {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil
}
