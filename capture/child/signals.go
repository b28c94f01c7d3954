package child

import (
	"os"
	"os/signal"
)

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
