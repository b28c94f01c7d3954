package capture

import (
	"os"
	"os/signal"
	"syscall"
)

// shield keeps the signals that end a command from ending cairn before its
// record is written: package child passes them on, and the command's end ends
// cairn. A signal that was ignored from the start (nohup) stays ignored.
func shield() (lower func()) {
	caught := make(chan os.Signal, 1) // nobody reads it: the signal is child's to act on
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	return func() { signal.Stop(caught) }
}
