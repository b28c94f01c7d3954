package stage

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

const cloexec = unix.MSG_CMSG_CLOEXEC

func pipe(ends *[2]int) error { return unix.Pipe2(ends[:], unix.O_CLOEXEC) }

// socket opens a socket that listens at an address.
func socket(address string) (int, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: address}); err == nil {
		err = unix.Listen(fd, 64)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func acceptOn(fd int) (int, error) {
	conn, _, err := unix.Accept4(fd, unix.SOCK_CLOEXEC)
	return conn, err
}

// resize sets how many bytes a pipe holds, if the system allows it.
func resize(fd, size int) { unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, size) }

// unread is how many bytes are in a pipe.
func unread(fd int) int {
	n, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// peerOf is the process at the other end of a connection, if it is of this user.
func peerOf(conn int) (pid int, ok bool) {
	cred, err := unix.GetsockoptUcred(conn, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil || int(cred.Uid) != os.Getuid() {
		return 0, false
	}
	return int(cred.Pid), true
}

// dirOf is the directory of a process.
func dirOf(pid int) string {
	dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	if err != nil {
		return ""
	}
	return dir
}

// process is a process whose exit status the kernel reports although it is another's child.
type process struct{ fd int }

// watch begins to watch a process, which still exists since it waits for an answer. It is false before Linux 6.15.
func watch(pid int) (process, bool) {
	if !tellsExits() {
		return process{-1}, false
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return process{-1}, false
	}
	return process{fd}, true
}

// tellsExits says whether this Linux reports how any process ended.
var tellsExits = sync.OnceValue(func() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	major, rest, _ := strings.Cut(unix.ByteSliceToString(name.Release[:]), ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	return a > 6 || a == 6 && b >= 15
})

// exitInfo is the beginning of the kernel's struct pidfd_info.
type exitInfo struct {
	mask, cgroup uint64
	ids          [11]uint32
	code         int32
}

const (
	getInfo  = 0xc040ff0b // PIDFD_GET_INFO
	infoExit = 1 << 3     // PIDFD_INFO_EXIT
)

// wait waits until the parent has waited for the process, and returns how it ended.
func (p process) wait(stop int) (End, bool) {
	fds := []unix.PollFd{{Fd: int32(p.fd), Events: 0}, {Fd: int32(stop), Events: unix.POLLIN}} // the descriptor hangs up then
	poll(fds)
	info := exitInfo{mask: infoExit}
	_, _, no := unix.Syscall(unix.SYS_IOCTL, uintptr(p.fd), getInfo, uintptr(unsafe.Pointer(&info)))
	if no != 0 || info.mask&infoExit == 0 {
		return End{}, false
	}
	return endOf(unix.WaitStatus(info.code)), true
}

func (p process) close() { closeIf(p.fd) }
