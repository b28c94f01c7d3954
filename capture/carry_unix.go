//go:build unix

package capture

import "syscall"

// ownSession: a signal to the group of this process does not reach what outlives it.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
