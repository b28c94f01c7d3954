//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package child

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// The ioctl requests that get and set the modes of a terminal.
const getModes, setModes = unix.TIOCGETA, unix.TIOCSETA

// procAttr makes the child the leader of a group, or with a pseudo-terminal the leader of a session with that
// terminal.
func procAttr(tty bool) *syscall.SysProcAttr {
	attr := new(syscall.SysProcAttr)
	setLeader(attr, tty)
	return attr
}

// widen does nothing: these systems enlarge a pipe by themselves.
func widen(uintptr) {}
