//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"

	"cairn/capture/stage/wire"
)

// told are the signals that reach this process alone where someone sends them to the
// command by its number.
var told = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}

// hold runs the command below this process, says how it ended, and ends in the same way
// when its output has gone on: what the shell runs next may write to the same pipe. It returns if the
// command could not be started.
func (c *command) hold(conn int, files []int) {
	caught := make(chan os.Signal, 16)
	for _, s := range told {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT} { // of a terminal: the command gets them as well
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
		syscall.Read(conn, make([]byte, 1)) // cairn answers, or is gone
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
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // the command has left its own
	signal.Reset(s)
	if toDefault(s) {
		syscall.Kill(os.Getpid(), s)
	}
	os.Exit(128 + int(s))
}
