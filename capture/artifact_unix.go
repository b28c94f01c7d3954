//go:build unix

package capture

import "syscall"

// noWait makes opening a named pipe not wait for a writer.
const noWait = syscall.O_NONBLOCK
