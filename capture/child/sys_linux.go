package child

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// The ioctl requests that get and set the modes of a terminal.
const getModes, setModes = unix.TCGETS, unix.TCSETS

// procAttr makes the child the leader of a group, or with a pseudo-terminal the leader of a session with that
// terminal.
func procAttr(tty bool) *syscall.SysProcAttr {
	// SIGTERM rather than SIGKILL if we die, so that a shell or a runner can still end its own children.
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	setLeader(attr, tty)
	return attr
}

// widen makes a pipe hold more. It has no effect on other files, or if the user's pipes hold too much already.
func widen(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, wideSize) }
