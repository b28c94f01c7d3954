// Package lockfile takes advisory locks on open files, without waiting. A lock
// ends with its process, however that ends: so a lock that is free says that
// the owner is gone. Locks are not for network file systems. It is the one place
// that knows how a system locks files: flock on Unix, LockFileEx on Windows.
package lockfile

import "os"

// Try takes an exclusive lock on f, or says that another process has it.
// Closing f lets go of it too.
func Try(f *os.File) (unlock func() error, taken bool, err error) { return try(f, true) }

// TryShared takes a lock on f that others may share, or says that another
// process has an exclusive one.
func TryShared(f *os.File) (unlock func() error, taken bool, err error) { return try(f, false) }

// IsAt says whether f is still the file at path: between opening and locking, another process may have removed it.
func IsAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}
