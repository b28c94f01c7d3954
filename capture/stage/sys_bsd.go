//go:build unix && !linux

package stage

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	cloexec  = 0
	fionread = 0x4004667f // FIONREAD
)

func pipe(ends *[2]int) error {
	err := unix.Pipe(ends[:])
	if err == nil {
		unix.CloseOnExec(ends[0])
		unix.CloseOnExec(ends[1])
	}
	return err
}

// socket is one that listens at an address, which is a file.
func socket(address string) (int, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, err
	}
	unix.CloseOnExec(fd)
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: address}); err == nil {
		err = unix.Listen(fd, 64)
	}
	if err == nil {
		err = os.Chmod(address, 0o600)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func acceptOn(fd int) (int, error) {
	conn, _, err := unix.Accept(fd)
	if err == nil {
		unix.CloseOnExec(conn)
	}
	return conn, err
}

// resize: pipes of this system grow by themselves.
func resize(fd, size int) {}

// unread: this system does not say it of the end that is written to; a pipe counts as empty.
func unread(fd int) int {
	n, err := unix.IoctlGetInt(fd, fionread)
	if err != nil {
		return 0
	}
	return n
}

// peerOf: the address is a file that only this user can open.
func peerOf(conn int) (pid int, ok bool) { return 0, true }

// dirOf: the number of the process is not asked for.
func dirOf(pid int) string { return "" }

// process is a process of which the kernel says how it ended: here, of none that is another's child.
type process struct{}

func watch(pid int) (process, bool) { return process{}, false }

func (p process) wait(stop int) (End, bool) { return End{}, false }

func (p process) close() {}
