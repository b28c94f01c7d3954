package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

func dup2(from, to int) { syscall.Dup3(from, to, 0) }

// bound makes a held command end with this process, should that be killed.
func bound() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// restoreIgnored makes the command ignore the signals that the shell has made it ignore. The
// runtime of this program has set all of them but SIGHUP and SIGINT to something else before
// main; so it is read from the shell, which ignores them itself. SIGQUIT is another matter: the
// shell always ignores it, and for a job in the background, which is known by SIGINT, the job does too.
func restoreIgnored() {
	var sys uint64
	text := make([]byte, 4096)
	f, err := syscall.Open("/proc/"+strconv.Itoa(os.Getppid())+"/status", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	n, _ := syscall.Read(f, text)
	syscall.Close(f)
	_, line, _ := strings.Cut(string(text[:max(n, 0)]), "\nSigIgn:\t")
	line, _, _ = strings.Cut(line, "\n")
	if sys, err = strconv.ParseUint(line, 16, 64); err != nil {
		return
	}
	quit := uint64(1) << (syscall.SIGQUIT - 1)
	if sys &^= quit; ignored(syscall.SIGINT) {
		sys |= quit
	}
	for s := syscall.Signal(1); s < 64; s++ {
		if sys>>(s-1)&1 == 1 && s != syscall.SIGHUP && s != syscall.SIGINT {
			act(s, sigIgn)
		}
	}
}

// action is the kernel's struct sigaction.
type action struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

const sigDfl, sigIgn = 0, 1

func ignored(s syscall.Signal) bool {
	var now action
	_, _, no := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(&now)), 8, 0, 0)
	return no == 0 && now.handler == sigIgn
}

// toDefault gives a signal its own effect back, which this program's runtime has taken from some: it says much before
// it ends by one that means a crash.
func toDefault(s syscall.Signal) bool {
	act(s, sigDfl)
	return true
}

func act(s syscall.Signal, handler uintptr) {
	set := action{handler: handler}
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&set)), 0, 8, 0, 0)
}
