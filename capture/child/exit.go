package child

import (
	"errors"
	"os"
	"os/signal"
	"strconv"
	"time"
)

// Exit statuses for a child that never ran, the same as those of sh, env and timeout.
const (
	StatusOwnTrouble    = 125
	StatusNotExecutable = 126
	StatusNotFound      = 127
)

// Exit is how a run ended.
type Exit struct {
	// Code is the child's exit code, 0–255 (on Windows any uint32), or -1 if it was ended by a signal or never ran.
	Code int
	// Signal is the name of the signal that ended the child, such as "SIGKILL" ("SIG35" if it has no name), or "".
	Signal string
	// SignalNumber is the number of that signal, or 0.
	SignalNumber int
	// CoreDumped says that the kernel wrote a core file.
	CoreDumped bool

	// TimedOut says that Command.Timeout ran out before the child had ended.
	TimedOut bool
	// Cancelled says that the context given to Start ended before the child had.
	Cancelled bool
	// Interrupted is the name of the first signal that was passed on to the child, or "".
	Interrupted string
	// Forced says that a second SIGINT came, so that the child and its descendants were killed.
	Forced bool

	// OpenPipes says that descendants still held the output open when reading stopped.
	// Their later output was not read.
	OpenPipes bool

	// StartErr is why the child never ran: a *StartError from Start. Wait never sets it.
	StartErr error
	// SinkErr is the sink's first error. Later output was read and dropped.
	SinkErr error
	// ReadErr is an error in reading the output or the status. Some of the output may be missing.
	ReadErr error

	// Started is the time just before the child was started.
	Started time.Time
	// Duration is the time from Started to the end of the child (not of its descendants).
	Duration time.Duration
}

// Status is the exit status for a wrapper: the child's code, 128+n for signal n, 125, 126 or 127 for a child
// that never ran, and 125 if the status could not be read. A timeout does not change the status: see TimedOut.
func (e Exit) Status() int {
	var start *StartError
	switch {
	case errors.As(e.StartErr, &start):
		return start.Status()
	case e.StartErr != nil:
		return StatusOwnTrouble
	case e.SignalNumber != 0:
		return 128 + e.SignalNumber
	case e.Code < 0:
		return StatusOwnTrouble
	}
	return e.Code
}

// Kind says why a child could not be started.
type Kind uint8

// The three kinds.
const (
	OwnTrouble    Kind = iota // a problem of our own: no such directory, no more processes, no command
	NotFound                  // no such command, or the interpreter it names is missing
	NotExecutable             // it exists but cannot be executed: no permission, a directory, a foreign binary
)

// StartError is the error of Start.
type StartError struct {
	Kind Kind
	Op   string // the operation: "run", "start in directory"
	Path string // its object
	Err  error  // the cause
}

// Error returns a text such as "run "nosuch": not found in PATH".
func (e *StartError) Error() string {
	s := e.Op
	if e.Path != "" {
		s += " " + strconv.Quote(e.Path)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *StartError) Unwrap() error { return e.Err }

// Status is 125, 126 or 127.
func (e *StartError) Status() int {
	switch e.Kind {
	case NotFound:
		return StatusNotFound
	case NotExecutable:
		return StatusNotExecutable
	}
	return StatusOwnTrouble
}

var (
	errNoCommand    = errors.New("no command was given")
	errTwoCommands  = errors.New("both a command and a shell command line were given; give one")
	errNUL          = errors.New("contains a NUL byte, which no system can pass on")
	errNotDirectory = errors.New("not a directory")
)

func ownTrouble(op, path string, err error) error {
	return &StartError{Kind: OwnTrouble, Op: op, Path: path, Err: err}
}

// Signals takes over the signals that are passed on to a child.
type Signals struct {
	caught chan os.Signal
	ready  chan struct{} // closed when the signals are taken over
}

// Listen begins to take over the signals and returns at once, so that the caller can prepare a child meanwhile: for
// each signal the Go runtime waits for another thread, twice. Signals that come before Start are passed on to the
// child as soon as there is one. Start ends it with the child; without Start, call Stop.
//
// Signals that were ignored when we started stay ignored: catching them would change that, here and in the child.
func Listen() *Signals {
	l := &Signals{caught: make(chan os.Signal, 16), ready: make(chan struct{})}
	go func() {
		defer close(l.ready)
		for _, s := range forwarded {
			if !signal.Ignored(s) {
				signal.Notify(l.caught, s)
			}
		}
	}()
	return l
}

// Stop no longer catches the signals.
func (l *Signals) Stop() {
	<-l.ready
	signal.Stop(l.caught)
}
