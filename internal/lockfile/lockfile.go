// Package lockfile takes advisory locks on open files, without waiting. The system
// releases a lock when its process ends, so a free lock means that the owner is gone.
// Locks are not for network file systems. Only this package knows how a system locks
// files: flock on Unix, LockFileEx on Windows.
package lockfile

import "os"

// Try takes an exclusive lock on f; taken is false if another process has it. Closing f
// also releases it.
func Try(f *os.File) (unlock func() error, taken bool, err error) { return try(f, true) }

// TryShared takes a shared lock on f; taken is false if another process has an
// exclusive one.
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
