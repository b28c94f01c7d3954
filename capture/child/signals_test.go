//go:build unix

package child

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestSignalBeforeStart: a Ctrl-C that comes while the place is still being found must not be lost.
func TestSignalBeforeStart(t *testing.T) {
	l := Listen()
	<-l.ready
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), Command{Argv: []string{"sleep", "60"}, Signals: l})
	if err != nil {
		t.Fatal(err)
	}
	exit, err := p.Wait(nil)
	if err != nil || exit.Signal != "SIGTERM" || exit.Interrupted != "SIGTERM" {
		t.Errorf("%+v, %v", exit, err)
	}
}

// TestNoStartNoSignals: who could not start a command dies of a signal again.
func TestNoStartNoSignals(t *testing.T) {
	l := Listen()
	if _, err := Start(t.Context(), Command{Argv: []string{"/nonexistent/command"}, Signals: l}); err == nil {
		t.Fatal("started")
	}
	caught := make(chan os.Signal, 1) // keeps this process alive
	signal.Notify(caught, syscall.SIGTERM)
	defer signal.Stop(caught)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-caught
	if len(l.caught) > 0 {
		t.Errorf("%d signals came to one who had stopped listening", len(l.caught))
	}
}
