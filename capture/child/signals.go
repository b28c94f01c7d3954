package child

import (
	"os"
	"os/signal"
)

// Signals takes the signals over that are passed on to a child.
type Signals struct {
	caught chan os.Signal
	ready  chan struct{} // closed when they are taken over
}

// Listen begins to take the signals over and returns at once, so that a caller can make ready for a child meanwhile: for
// each signal the Go runtime waits for another thread, twice. What comes before Start is passed on to the child as soon
// as there is one. Start ends it with the child; without Start, Stop does.
//
// Signals that were ignored when we started are left so: asking for them would end that, here and in the child.
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

// Stop gives the signals back.
func (l *Signals) Stop() {
	<-l.ready
	signal.Stop(l.caught)
}
