package capture

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// shield keeps the signals that end a command from ending cairn before its record is
// written: package child passes them on, and cairn ends after the command. A signal
// that was ignored from the start (nohup) stays ignored. A closed pipe is only a write
// error: the end of a program that reads along must not end the capture.
//
// After the command has ended, signals are for cairn. One may be a repetition of those
// that ended the command, so the second one means that the user wants to leave: cairn
// stops waiting, and the next command does what is left. After the answer is printed,
// the first signal means that.
type shield struct {
	caught chan os.Signal
	up     chan struct{} // closed when signals are caught
}

// maxCaught is more signals than are ever needed.
const maxCaught = 8

// raise begins to raise a shield and returns at once. For each signal the Go runtime
// waits for another thread, twice, which takes long on a busy machine; meanwhile the
// caller can do other work.
func raise() *shield {
	s := &shield{caught: make(chan os.Signal, maxCaught), up: make(chan struct{})}
	go func() {
		defer close(s.up)
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
			if !signal.Ignored(sig) {
				signal.Notify(s.caught, sig)
			}
		}
		catchPipe()
	}()
	return s
}

// holds returns when the signals are caught.
func (s *shield) holds() { <-s.up }

// wanted calls cancel at the second signal from now on, unless stop is called before.
func (s *shield) wanted(cancel context.CancelFunc) (stop func()) { return s.after(2, cancel) }

// ends calls cancel at the next signal, unless stop is called before. s may be nil.
func (s *shield) ends(cancel context.CancelFunc) (stop func()) { return s.after(1, cancel) }

func (s *shield) after(n int, cancel context.CancelFunc) (stop func()) {
	if s == nil {
		return func() {}
	}
	for len(s.caught) > 0 { // drops earlier signals
		<-s.caught
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			select {
			case <-s.caught:
			case <-quit:
				return
			}
		}
		cancel()
	}()
	return func() { close(quit); <-done }
}

// lower ends the protection: a moment later signals end the process again. Like raise,
// it does not wait. s may be nil.
func (s *shield) lower() {
	if s != nil {
		go signal.Stop(s.caught)
	}
}
