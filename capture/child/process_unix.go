//go:build unix

package child

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a running or ended child. Wait must be called exactly once.
type Process struct {
	cmd     Command
	pid     int // also its group
	started time.Time
	stdio   *stdio

	collector chan *collector // from Wait to watch
	exit      chan Exit       // from watch to Wait
}

func start(ctx context.Context, cmd Command) (*Process, error) {
	prog, err := findProgram(cmd)
	if err != nil {
		return nil, err
	}
	ends, err := open(cmd)
	if err != nil {
		return nil, err
	}
	w := newWatch(cmd)
	w.listen()
	p := &Process{cmd: cmd, stdio: ends, started: time.Now(), collector: make(chan *collector, 1), exit: make(chan Exit, 1)}
	p.pid, err = w.spawn(prog, ends)
	if err != nil {
		ends.abandon()
		return nil, err
	}
	runtime.KeepAlive(cmd.Stdin)
	ends.started()
	w.begin(p)
	go func() {
		p.exit <- w.run(ctx, p)
		cmd.Signals.Stop()
	}()
	return p, nil
}

// Pid is the child's process id, and its group's.
func (p *Process) Pid() int { return p.pid }

// Started is the time just before the child was started.
func (p *Process) Started() time.Time { return p.started }

// Wait hands the child's output to sink until the child has ended and its output with it (see Command.Drain), and
// returns how it ended. A nil sink drops the output. The error joins Exit.SinkErr and Exit.ReadErr; Exit is complete
// in any case.
func (p *Process) Wait(sink Sink) (Exit, error) {
	c := newCollector(sink, p.started)
	p.collector <- c
	var readers sync.WaitGroup
	for _, o := range p.stdio.outputs {
		readers.Go(func() { o.read(c) })
	}
	readers.Wait()
	close(p.collector) // tells watch that reading is over
	exit := <-p.exit
	if p.cmd.Left != nil && !exit.TimedOut && !exit.Cancelled {
		p.stdio.leave(p.cmd.Left)
	}
	p.stdio.closeOutputs()
	for _, o := range p.stdio.outputs {
		exit.OpenPipes = exit.OpenPipes || o.open
		exit.ReadErr = errors.Join(exit.ReadErr, o.err)
	}
	exit.SinkErr = c.sinkErr
	return exit, errors.Join(exit.SinkErr, exit.ReadErr)
}

// change is what wait4 reports about the child: that it was stopped or has ended, or an error.
type change struct {
	status syscall.WaitStatus
	at     time.Time
	err    error
}

// spawn starts the program on a thread that then waits for it. The thread has to stay, since
// the kernel sends the Pdeathsig signal when the thread that started the child ends.
func (w *watch) spawn(prog program, ends *stdio) (pid int, err error) {
	type result struct {
		pid int
		err error
	}
	forked := make(chan result)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		pid, err := fork(prog, w.cmd, ends.child)
		forked <- result{pid, err}
		if err == nil {
			reap(pid, w.changes)
		}
	}()
	r := <-forked
	return r.pid, r.err
}

// reap sends every stop of the child, and its end, to changes.
func reap(pid int, changes chan<- change) {
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
		if err == syscall.EINTR {
			continue
		}
		changes <- change{status, time.Now(), err}
		if err != nil || status.Exited() || status.Signaled() {
			return
		}
	}
}

// ended fills in how the child ended.
func (e *Exit) ended(ch change) {
	e.Code = -1
	e.Duration = ch.at.Sub(e.Started)
	switch {
	case ch.err != nil:
		e.ReadErr = os.NewSyscallError("wait for the child", ch.err)
	case ch.status.Exited():
		e.Code = ch.status.ExitStatus()
	case ch.status.Signaled():
		e.SignalNumber = int(ch.status.Signal())
		e.Signal = signalName(ch.status.Signal())
		e.CoreDumped = ch.status.CoreDump()
	}
}

func signalName(s syscall.Signal) string {
	return cmp.Or(unix.SignalName(s), "SIG"+strconv.Itoa(int(s))) // real-time signals have numbers only
}
