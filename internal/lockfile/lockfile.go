// Package lockfile takes advisory locks on open files, without waiting. A lock
// ends with its process, however that ends: so a lock that is free says that
// the owner is gone. Locks are not for network file systems.
package lockfile

import "os"

// Try takes an exclusive lock on f, or says that another process has it.
func Try(f *os.File) (unlock func() error, taken bool, err error) { return try(f) }
