package capture

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// shield keeps the signals that end a command from ending cairn before its
// record is written: package child passes them on, and the command's end ends
// cairn. A signal that was ignored from the start (nohup) stays ignored. A
// closed pipe is an error of a write and no more: what reads along must not end
// what is recorded.
//
// When the command has ended, signals are for cairn. One may be the echo of
// those that ended the command, so the second says that the user wants to
// leave: waiting ends then, and what is not done the next command does. When
// the answer is out, the first does.
type shield struct {
	caught chan os.Signal
	up     chan struct{} // closed when it holds
}

// maxCaught is more signals than matter.
const maxCaught = 8

// raise begins to raise a shield and returns at once. For each signal the Go
// runtime waits for another thread, twice, which a busy machine makes long: what is
// done meanwhile costs nothing more.
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

// holds returns when the shield is up.
func (s *shield) holds() { <-s.up }

// wanted calls cancel at the second signal from now on, until stop.
func (s *shield) wanted(cancel context.CancelFunc) (stop func()) { return s.after(2, cancel) }

// ends calls cancel at the next signal, unless stop is called before. s may be nil.
func (s *shield) ends(cancel context.CancelFunc) (stop func()) { return s.after(1, cancel) }

func (s *shield) after(n int, cancel context.CancelFunc) (stop func()) {
	if s == nil {
		return func() {}
	}
	for len(s.caught) > 0 { // of the past
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

// lower ends the protection: signals end the process again, a moment later. As raise
// it does not wait. s may be nil.
func (s *shield) lower() {
	if s != nil {
		go signal.Stop(s.caught)
	}
}
