//go:build unix

package capture

import "syscall"

// ownSession starts a process in its own session, which a signal to this process's group does not reach.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
