//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package child

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// The requests that read and write the modes of a terminal.
const getModes, setModes = unix.TIOCGETA, unix.TIOCSETA

// procAttr makes the child the leader of a group, or with a pseudo-terminal of a session whose terminal it is.
func procAttr(tty bool) *syscall.SysProcAttr {
	attr := new(syscall.SysProcAttr)
	setLeader(attr, tty)
	return attr
}

// widen does nothing: these systems make a pipe larger by themselves.
func widen(uintptr) {}
