package child

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// The requests that read and write the modes of a terminal.
const getModes, setModes = unix.TCGETS, unix.TCSETS

// procAttr makes the child the leader of a group, or with a pseudo-terminal of a session whose terminal it is.
func procAttr(tty bool) *syscall.SysProcAttr {
	// SIGTERM rather than SIGKILL when we die: a shell or a runner can still end what it started.
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	setLeader(attr, tty)
	return attr
}

// widen makes a pipe hold more. What is no pipe, or of a user whose pipes hold too much already, stays as it is.
func widen(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, wideSize) }
