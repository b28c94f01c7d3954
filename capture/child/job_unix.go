//go:build unix

package child

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// selfStopLimit is how long we wait for our own stop to take effect. In an orphaned group ("ssh host command",
// a shell without job control) it never does: no process could continue us, so the kernel drops the signal.
const selfStopLimit = 200 * time.Millisecond

// job does for the child what a shell does for its jobs: it gives the terminal to the child,
// stops us when the child is stopped, and continues the child when we are continued.
type job struct {
	child     int              // the child's process group
	isStopped bool             // the child, or a process of its group, may be stopped
	wantsTTY  bool             // when the child was stopped, it had the terminal or had tried to use it
	lent      bool             // the child has the terminal, as far as is known
	resume    <-chan time.Time // set while we stop ourselves: fires if the stop has no effect
}

// stopped is called when a signal has stopped the child. It ignores SIGSTOP, and any stop without a
// terminal: the terminal is not the cause, so the sender of the signal will continue the child.
func (j *job) stopped(by syscall.Signal) {
	j.isStopped = true
	if by != syscall.SIGTSTP && by != syscall.SIGTTIN && by != syscall.SIGTTOU {
		return
	}
	tty, ok := openTerminal()
	if !ok {
		return
	}
	defer unix.Close(tty)
	ours := unix.Getpgrp()
	front := foreground(tty)
	j.wantsTTY = by != syscall.SIGTSTP || front == j.child
	if front == ours && by != syscall.SIGTSTP {
		j.lend(tty)
		return
	}
	who := unix.Getpid() // the terminal has stopped the rest of our group already
	if front == j.child {
		setForeground(tty, ours)
		j.lent = false
		who = 0 // the terminal has stopped the child's group only: stop all of our group too
	}
	// Not SIGTSTP: Notify has caught it, and the Go runtime cannot restore its default action.
	// Not SIGSTOP: it would work in an orphaned group too, where no process would continue us.
	syscall.Kill(who, syscall.SIGTTIN)
	j.resume = time.After(selfStopLimit)
}

// goOn continues the child. If the child wants the terminal and our group has it again, the child gets it.
func (j *job) goOn() {
	j.resume = nil
	if j.isStopped && j.wantsTTY {
		if tty, ok := openTerminal(); ok {
			defer unix.Close(tty)
			if foreground(tty) == unix.Getpgrp() {
				j.lend(tty)
				return
			}
		}
	}
	j.isStopped = false
	syscall.Kill(-j.child, syscall.SIGCONT)
}

func (j *job) lend(tty int) {
	if setForeground(tty, j.child) == nil {
		j.lent = true
	}
	j.isStopped = false
	syscall.Kill(-j.child, syscall.SIGCONT)
}

// takeBack makes our group the foreground group again, if the child had the terminal.
func (j *job) takeBack() {
	if !j.lent {
		return
	}
	if tty, ok := openTerminal(); ok {
		setForeground(tty, unix.Getpgrp())
		unix.Close(tty)
	}
}

// openTerminal opens the controlling terminal, if there is one.
func openTerminal() (fd int, ok bool) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC, 0)
	return fd, err == nil
}

// foreground returns the foreground process group of a terminal, or 0.
func foreground(tty int) int {
	group, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	if err != nil {
		return 0
	}
	return group
}

// setForeground makes a group the foreground group of our terminal. The kernel sends SIGTTOU to
// a background group that does this, unless the signal is blocked, and Go can neither block a
// signal nor undo ignoring one. But Go blocks all signals between fork and exec, so a
// short-lived child does it, whose exec of a directory then fails with EACCES as intended.
func setForeground(tty, group int) error {
	attr := &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Foreground: true, Ctty: tty, Pgid: group}}
	if _, err := syscall.ForkExec("/", []string{"/"}, attr); err != syscall.EACCES {
		return err
	}
	return nil
}

// setLeader makes the child the leader of its group, or of a session if it has a pseudo-terminal.
func setLeader(attr *syscall.SysProcAttr, tty bool) {
	if tty {
		attr.Setsid, attr.Setctty = true, true
		attr.Ctty = 1 // standard input may be another file
		return
	}
	attr.Setpgid = true
}
