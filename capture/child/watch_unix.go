//go:build unix

package child

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// groupPoll is how often we check whether a group whose leader has ended still has processes.
const groupPoll = 5 * time.Millisecond

// askPoll is how often the modes of the child's terminal are checked, if Asks is set.
const askPoll = 100 * time.Millisecond

// forwarded are the signals that are passed on to the child's group: those that ask a
// program to end, and those of job control. SIGKILL and SIGSTOP cannot be caught.
var forwarded = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
	syscall.SIGTSTP, syscall.SIGCONT,
}

// watch watches one child from its start to the end of its output. All its state belongs to run's goroutine.
type watch struct {
	cmd     Command
	pid     int
	exit    Exit
	signals chan os.Signal
	changes chan change
	job     job
	relay   *relay // of the terminal's input, under TTY

	interrupts int
	ended      bool // the child has ended and its status was read
	ending     bool // we have sent SIGTERM to the group; SIGKILL follows
	gone       bool // after SIGTERM: the group has no processes left
	endedAt    time.Time
	kill       <-chan time.Time
}

func newWatch(cmd Command) *watch {
	return &watch{
		cmd:     cmd,
		signals: cmd.Signals.caught,
		changes: make(chan change, 1),
	}
}

// listen waits until the signals are taken over.
func (w *watch) listen() {
	<-w.cmd.Signals.ready
	if w.cmd.TTY {
		signal.Notify(w.signals, syscall.SIGWINCH)
	}
}

func (w *watch) begin(p *Process) {
	w.pid = p.pid
	w.exit.Started = p.started
	w.job = job{child: p.pid}
	w.relay = startRelay(w.cmd, p.stdio)
}

// run returns when the child has ended, its output has been read, and, if the group had to be ended, all its processes
// are gone.
func (w *watch) run(ctx context.Context, p *Process) Exit {
	defer w.relay.stop()
	defer w.job.takeBack()
	timeout := after(w.cmd.Timeout)
	done := ctx.Done()
	incoming := p.collector
	var collector *collector
	tick := time.NewTicker(time.Hour) // reset to a useful interval once the child has ended
	defer tick.Stop()
	if w.cmd.TTY && w.cmd.Asks != nil {
		tick.Reset(askPoll)
	}

	for !(w.ended && incoming == nil && (!w.ending || w.gone)) {
		select {
		case s := <-w.signals:
			w.onSignal(s.(syscall.Signal))
		case <-timeout:
			w.exit.TimedOut = w.end()
		case <-done:
			w.exit.Cancelled = w.end()
			done = nil
		case <-w.kill:
			w.killGroup()
		case <-w.job.resume:
			w.job.goOn()
		case ch := <-w.changes:
			w.onChange(ch)
			if w.ended {
				tick.Reset(groupPoll)
			}
		case c, reading := <-incoming:
			if reading {
				collector = c
			} else {
				incoming = nil
			}
		case <-tick.C:
			if !w.ended {
				w.relay.look()
				continue
			}
			w.onTick(collector, p.stdio.outputs)
		}
	}
	return w.exit
}

// after is the channel of a timer; for 0 it is nil, which never delivers.
func after(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}

// send signals the whole group. It is no error if the group has just ended. Once the group is
// known to be gone, it sends nothing, because another group may have the same number by then.
func (w *watch) send(s syscall.Signal) {
	if !w.gone {
		syscall.Kill(-w.pid, s)
	}
}

func (w *watch) onSignal(s syscall.Signal) {
	switch s {
	case syscall.SIGWINCH:
		w.relay.resize()
	case syscall.SIGCONT:
		w.job.goOn()
	case syscall.SIGTSTP:
		w.send(s)              // if that stops the child, onChange stops us
		w.job.isStopped = true // or a process of its group
	default:
		if w.exit.Interrupted == "" && !w.ended {
			w.exit.Interrupted = signalName(s)
		}
		if s == syscall.SIGINT {
			w.interrupts++
		}
		if w.interrupts > 1 {
			s = syscall.SIGKILL
			w.exit.Forced = w.exit.Forced || !w.ended
		}
		w.send(s)
		if w.job.isStopped {
			w.job.goOn() // a stopped process handles a signal only after it is continued
		}
	}
}

func (w *watch) onChange(ch change) {
	if ch.err == nil && ch.status.Stopped() {
		if !w.cmd.TTY {
			w.job.stopped(ch.status.StopSignal())
		}
		return
	}
	w.ended = true
	w.endedAt = time.Now()
	w.exit.ended(ch)
}

// end begins to end the group: SIGTERM now, SIGKILL after Grace. It returns false if the child has already
// ended by itself. Then its descendants are left alone, and their output is read only for Drain.
func (w *watch) end() bool {
	if w.ended {
		return false
	}
	if !w.ending {
		w.ending = true
		w.send(syscall.SIGTERM)
		w.send(syscall.SIGCONT) // a stopped process handles SIGTERM only after it is continued
		w.kill = time.After(w.cmd.Grace)
	}
	return true
}

func (w *watch) killGroup() {
	w.send(syscall.SIGKILL)
	w.gone = true
}

// onTick runs between the child's end and the end of its output.
func (w *watch) onTick(c *collector, outputs []*output) {
	if w.ending && !w.gone {
		w.gone = syscall.Kill(-w.pid, 0) == syscall.ESRCH
		w.endedAt = time.Now() // the drain begins when the group is gone
		return
	}
	if c == nil {
		return
	}
	since := time.Since(w.endedAt)
	if min(since, c.silence()) >= w.cmd.Drain || since >= drainLimit*w.cmd.Drain {
		for _, o := range outputs {
			o.cut()
		}
	}
}
