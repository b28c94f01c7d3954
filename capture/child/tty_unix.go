//go:build unix

package child

import (
	"os"
	"sync"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// The size of a terminal whose size is unknown: programs assume the same.
const (
	defaultCols = 80
	defaultRows = 24
)

// openTTY makes a pseudo-terminal the child's output, and also its input if that is a
// terminal: the child could not use our terminal, which belongs to another session.
func (s *stdio) openTTY(in *os.File) error {
	master, slave, err := pty.Open()
	if err != nil {
		return ownTrouble("open a pseudo-terminal for", "--tty", err)
	}
	defer master.Close()
	s.close = append(s.close, slave)
	s.master, err = nonblocking(master)
	if err != nil {
		return ownTrouble("read from a pseudo-terminal for", "--tty", err)
	}
	setSize(s.master)
	fd := slave.Fd()
	keepOutput(int(fd))
	if term.IsTerminal(int(in.Fd())) {
		s.child[0] = fd
	}
	s.child = append(s.child, fd, fd)
	return s.add(Stdout, s.master)
}

// keepOutput keeps a terminal from dropping unread output when Ctrl-C sends a signal: a
// record needs every byte.
func keepOutput(tty int) {
	if modes, err := unix.IoctlGetTermios(tty, getModes); err == nil {
		modes.Lflag |= unix.NOFLSH
		unix.IoctlSetTermios(tty, setModes, modes)
	}
}

// nonblocking returns the same file in a form whose reads can have a deadline, unlike the one from pty.Open.
func nonblocking(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// setSize gives a pseudo-terminal the size of the real one.
func setSize(master *os.File) {
	size := pty.Winsize{Cols: defaultCols, Rows: defaultRows}
	if tty, ok := openTerminal(); ok {
		if cols, rows, err := term.GetSize(tty); err == nil && cols > 0 && rows > 0 {
			size.Cols, size.Rows = uint16(cols), uint16(rows)
		}
		unix.Close(tty)
	}
	pty.Setsize(master, &size) // on error the terminal works without a size
}

// relay copies what is typed at the real terminal to the pseudo-terminal. The real one is in raw mode
// meanwhile: keys like Ctrl-C travel as bytes, and become signals only at the child's terminal.
type relay struct {
	master *os.File
	tty    int
	saved  *term.State
	wake   *os.File // closing it ends the copy
	done   chan struct{}
	asks   func() // see Command.Asks
}

// startRelay returns a relay. If the input is not a terminal, or we are in the background and
// may not read it, the relay only resizes. Without a pseudo-terminal it is nil.
func startRelay(cmd Command, s *stdio) *relay {
	if !cmd.TTY {
		return nil
	}
	r := &relay{master: s.master, asks: sync.OnceFunc(cmd.asks())}
	if cmd.Stdin == nil {
		return r
	}
	r.tty = int(cmd.Stdin.Fd())
	if !term.IsTerminal(r.tty) || foreground(r.tty) != unix.Getpgrp() {
		return r
	}
	asleep, wake, err := os.Pipe()
	if err != nil {
		return r
	}
	if r.saved, err = term.MakeRaw(r.tty); err != nil {
		asleep.Close()
		wake.Close()
		return r
	}
	r.wake, r.done = wake, make(chan struct{})
	go r.copy(asleep)
	return r
}

// copy reads only bytes that are already there, so that it never takes a key meant for the program after us.
func (r *relay) copy(asleep *os.File) {
	defer close(r.done)
	defer asleep.Close()
	fds := []unix.PollFd{
		{Fd: int32(r.tty), Events: unix.POLLIN},
		{Fd: int32(asleep.Fd()), Events: unix.POLLIN},
	}
	buf := make([]byte, 1024)
	for {
		if _, err := unix.Poll(fds, -1); err != nil && err != unix.EINTR {
			return
		}
		if fds[1].Revents != 0 {
			return
		}
		if fds[0].Revents == 0 {
			continue
		}
		n, err := unix.Read(r.tty, buf)
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if n <= 0 {
			return
		}
		r.asks()
		if _, err := r.master.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (cmd Command) asks() func() {
	if cmd.Asks == nil {
		return func() {}
	}
	return cmd.Asks
}

// look calls asks if the child has changed the initial modes of the terminal.
func (r *relay) look() {
	if r == nil {
		return
	}
	conn, err := r.master.SyscallConn()
	if err != nil {
		return
	}
	changed := false
	_ = conn.Control(func(fd uintptr) { // an error means that the master is closed
		modes, err := unix.IoctlGetTermios(int(fd), getModes)
		changed = err == nil && modes.Lflag&(unix.ICANON|unix.ECHO) != unix.ICANON|unix.ECHO
	})
	if changed {
		r.asks()
	}
}

func (r *relay) resize() {
	if r != nil {
		setSize(r.master)
	}
}

// stop ends the copying and restores the real terminal's modes.
func (r *relay) stop() {
	if r == nil || r.done == nil {
		return
	}
	r.master.SetWriteDeadline(past)
	r.wake.Close()
	<-r.done
	term.Restore(r.tty, r.saved)
}
