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
