package child

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

var errNoTTY = errors.New("pseudo-terminals are not supported on Windows; leave it out")

// forwarded are the signals that are passed on: Ctrl-C.
var forwarded = []os.Signal{os.Interrupt}

// Process is a running or ended child. Wait must be called exactly once.
type Process struct {
	cmd       Command
	exec      *exec.Cmd
	job       windows.Handle
	started   time.Time
	pipes     map[Stream]*os.File
	ended     chan error // gets a value when the child has ended
	interrupt chan os.Signal
	ctx       context.Context
	exit      Exit
}

func start(ctx context.Context, cmd Command) (*Process, error) {
	c, err := prepare(cmd)
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, exec: c, ctx: ctx, ended: make(chan error, 1), interrupt: cmd.Signals.caught}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, ownTrouble("make a pipe for", "stdout", err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		outR.Close()
		outW.Close()
		return nil, ownTrouble("make a pipe for", "stderr", err)
	}
	c.Stdout, c.Stderr = outW, errW
	p.pipes = map[Stream]*os.File{Stdout: outR, Stderr: errR}
	<-cmd.Signals.ready
	p.started = time.Now()
	err = c.Start()
	outW.Close()
	errW.Close()
	if err != nil {
		p.closePipes()
		return nil, startError(c.Path, err)
	}
	p.job = newJob(c.Process.Pid)
	go func() { p.ended <- c.Wait() }()
	return p, nil
}

func prepare(cmd Command) (*exec.Cmd, error) {
	if err := cmd.check(); err != nil {
		return nil, err
	}
	if cmd.TTY {
		return nil, ownTrouble("open a pseudo-terminal for", "--tty", errNoTTY)
	}
	if cmd.Dir != "" {
		if info, err := os.Stat(cmd.Dir); err != nil {
			return nil, ownTrouble("start in directory", cmd.Dir, err)
		} else if !info.IsDir() {
			return nil, ownTrouble("start in directory", cmd.Dir, errNotDirectory)
		}
	}
	var c *exec.Cmd
	if cmd.Shell != "" {
		c = exec.Command("cmd")
		c.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd /S /C \"" + cmd.Shell + "\""} // cmd has its own quoting rules
	} else {
		c = exec.Command(cmd.Argv[0], cmd.Argv[1:]...)
	}
	if c.Err != nil {
		return nil, startError(cmd.Argv[0], c.Err)
	}
	c.Dir, c.Env = cmd.Dir, cmd.Env
	if cmd.Stdin != nil {
		c.Stdin = cmd.Stdin
	}
	return c, nil
}

func startError(path string, err error) error {
	kind := NotExecutable
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		kind = NotFound
	}
	return &StartError{Kind: kind, Op: "run", Path: filepath.ToSlash(path), Err: err}
}

// newJob puts the child into a job object, so that its descendants can be ended with it. A process that
// the child starts before it is in the job escapes; without a job only the child is ended.
func newJob(pid int) windows.Handle {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		windows.CloseHandle(job)
		return 0
	}
	return job
}

// Pid is the child's process id.
func (p *Process) Pid() int { return p.exec.Process.Pid }

// Started is the time just before the child was started.
func (p *Process) Started() time.Time { return p.started }

// Wait hands the child's output to sink until the child has ended and its output with it (see Command.Drain), and
// returns how it ended. A nil sink drops the output. The error joins Exit.SinkErr and Exit.ReadErr; Exit is complete
// in any case.
func (p *Process) Wait(sink Sink) (Exit, error) {
	c := newCollector(sink, p.started)
	p.exit = Exit{Code: -1, Started: p.started}
	drained := make(chan error, 1)
	go func() { drained <- p.read(c) }()
	p.watch(c, drained)
	p.cmd.Signals.Stop()
	if p.job != 0 {
		windows.CloseHandle(p.job)
	}
	p.exit.SinkErr = c.sinkErr
	return p.exit, errors.Join(p.exit.SinkErr, p.exit.ReadErr)
}

// watch returns when the child has ended and its output has been read or cut off.
func (p *Process) watch(c *collector, drained <-chan error) {
	var timeout, tick <-chan time.Time
	if p.cmd.Timeout > 0 {
		timeout = time.After(p.cmd.Timeout)
	}
	done, ended := p.ctx.Done(), p.ended
	var endedAt time.Time
	for ended != nil || drained != nil {
		select {
		case <-timeout:
			p.exit.TimedOut = ended != nil
			p.end(ended != nil)
		case <-done:
			p.exit.Cancelled, done = ended != nil, nil
			p.end(ended != nil)
		case <-p.interrupt: // the child has got Ctrl-C from the console already
			if p.exit.Interrupted != "" {
				p.end(ended != nil)
			}
			p.exit.Interrupted = "SIGINT"
		case err := <-ended:
			ended, endedAt = nil, time.Now()
			p.finished(err)
			ticker := time.NewTicker(10 * time.Millisecond)
			defer ticker.Stop()
			tick = ticker.C
		case p.exit.ReadErr = <-drained:
			drained = nil
			p.closePipes()
		case <-tick:
			since := time.Since(endedAt)
			if drained != nil && (min(since, c.silence()) >= p.cmd.Drain || since >= drainLimit*p.cmd.Drain) {
				p.exit.OpenPipes = true
				c.take() // from here on nothing is delivered, even if a read is under way
				c.sink = nil
				c.give()
				p.closePipes()
				drained = nil
			}
		}
	}
}

func (p *Process) finished(err error) {
	p.exit.Duration = time.Since(p.started)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.exit.ReadErr = err
		return
	}
	p.exit.Code = p.exec.ProcessState.ExitCode()
}

// end kills the child and its job at once: Windows has no signal that asks a program to end.
func (p *Process) end(running bool) {
	if !running {
		return
	}
	if p.job == 0 || windows.TerminateJobObject(p.job, 1) != nil {
		p.exec.Process.Kill()
	}
}

func (p *Process) closePipes() {
	for _, f := range p.pipes {
		f.Close()
	}
}

// read delivers both pipes until their end. A read on Windows cannot be interrupted, so
// it happens outside the turn, each stream into a buffer of its own.
func (p *Process) read(c *collector) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all error
	for s, f := range p.pipes {
		wg.Go(func() {
			buf := make([]byte, bufferSize)
			for {
				n, err := f.Read(buf)
				if n > 0 {
					c.take()
					c.deliver(s, buf[:n])
					c.give()
				}
				if err != nil {
					if err != io.EOF && !errors.Is(err, windows.ERROR_BROKEN_PIPE) {
						mu.Lock()
						all = errors.Join(all, err)
						mu.Unlock()
					}
					return
				}
			}
		})
	}
	wg.Wait()
	return all
}
