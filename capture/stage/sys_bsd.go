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

// socket opens a socket that listens at an address, which is a file.
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

// resize does nothing: pipes of this system grow by themselves.
func resize(fd, size int) {}

// unread is how many bytes are in a pipe. This system does not say it for the write end; such a pipe counts as empty.
func unread(fd int) int {
	n, err := unix.IoctlGetInt(fd, fionread)
	if err != nil {
		return 0
	}
	return n
}

// peerOf accepts every peer, since only this user can open the socket's file.
func peerOf(conn int) (pid int, ok bool) { return 0, true }

// dirOf is "": this system does not show it.
func dirOf(pid int) string { return "" }

// process would report how another's child ended, which this system does not show.
type process struct{}

func watch(pid int) (process, bool) { return process{}, false }

func (p process) wait(stop int) (End, bool) { return End{}, false }

func (p process) close() {}
