package child

import "syscall"

// procAttr makes the child the leader of a group, or with a pseudo-terminal of a session whose terminal it is.
func procAttr(tty bool) *syscall.SysProcAttr {
	// SIGTERM rather than SIGKILL when we die: a shell or a runner can still end what it started.
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	setLeader(attr, tty)
	return attr
}
