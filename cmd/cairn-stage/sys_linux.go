package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

func dup2(from, to int) { syscall.Dup3(from, to, 0) }

// bound makes a held command end if this process is killed.
func bound() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// restoreIgnored makes the command ignore the signals that the shell set it to ignore. The runtime of
// this program has changed all of them but SIGHUP and SIGINT before main; so the shell's own state is
// read, since the shell ignores them itself. SIGQUIT is an exception: the shell always ignores it, but
// the command should only if it runs in the background, which shows in SIGINT.
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

// toDefault restores the default action of a signal. This program's runtime handles
// signals that mean a crash by printing much before it ends.
func toDefault(s syscall.Signal) bool {
	act(s, sigDfl)
	return true
}

func act(s syscall.Signal, handler uintptr) {
	set := action{handler: handler}
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&set)), 0, 8, 0, 0)
}
