//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"

	"cairn/capture/stage/wire"
)

// told are the signals that a process may send to the command by its number, and that
// reach this process instead.
var told = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}

// hold runs the command as a child, reports how it ended, and ends in the same way
// after its output was passed on: the shell's next command may write to the same pipe.
// It returns if the command could not be started.
func (c *command) hold(conn int, files []int) {
	caught := make(chan os.Signal, 16)
	for _, s := range told {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT} { // the terminal sends them to the command as well
		if !signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	std := []uintptr{0, 1, 2}
	for to, from := range files {
		std[to+1] = uintptr(from)
	}
	pid, err := syscall.ForkExec(c.path, c.words, &syscall.ProcAttr{Env: c.env, Files: std, Sys: bound()})
	if err != nil {
		signal.Reset()
		for to, from := range files {
			dup2(from, to+1)
		}
		return
	}
	for _, fd := range files {
		syscall.Close(fd)
	}
	go func() {
		for s := range caught {
			syscall.Kill(pid, s.(syscall.Signal))
		}
	}()
	status := wait(pid)
	forever := syscall.Timeval{}
	syscall.SetsockoptTimeval(conn, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &forever)
	if _, err := syscall.Write(conn, wire.Status(status)); err == nil {
		syscall.Read(conn, make([]byte, 1)) // returns when cairn answers or is gone
	}
	end(status)
}

func wait(pid int) (status syscall.WaitStatus) {
	for {
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != syscall.EINTR {
			return status
		}
	}
}

// end ends this process as the command did.
func end(status syscall.WaitStatus) {
	if !status.Signaled() {
		os.Exit(status.ExitStatus())
	}
	s := status.Signal()
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // the command has written its own core file
	signal.Reset(s)
	if toDefault(s) {
		syscall.Kill(os.Getpid(), s)
	}
	os.Exit(128 + int(s))
}
