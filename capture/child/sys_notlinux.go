//go:build unix && !linux

package child

import "syscall"

// procAttr makes the child the leader of a group, or with a pseudo-terminal of a session whose terminal it is.
func procAttr(tty bool) *syscall.SysProcAttr {
	attr := new(syscall.SysProcAttr)
	setLeader(attr, tty)
	return attr
}
