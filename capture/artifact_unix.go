//go:build unix

package capture

import "syscall"

// noWait: opening a named pipe does not wait for a writer.
const noWait = syscall.O_NONBLOCK
