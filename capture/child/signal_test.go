//go:build unix

package child

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// raise sends a signal to this process, where it arrives as it would at cairn.
func raise(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

func TestForwarding(t *testing.T) {
	for _, s := range []syscall.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT} {
		t.Run(unix.SignalName(s), func(t *testing.T) {
			p, rec, done := background(t, helper("trap"))
			rec.await("ready")
			raise(t, s)
			out := rec.await(unix.SignalName(s))
			syscall.Kill(p.Pid(), syscall.SIGUSR1)
			exit := <-done
			if exit.Code != 7 || exit.Interrupted != unix.SignalName(s) || strings.Count(out, "SIG") != 1 {
				t.Errorf("%q %+v", out, exit)
			}
		})
		t.Run(unix.SignalName(s)+" ends the group", func(t *testing.T) {
			_, rec, done := background(t, Command{Shell: "sleep 60 & echo pid $! ; wait; wait"})
			sleeper := pidAfter(t, rec.await("\n"), "pid")
			raise(t, s)
			exit := <-done
			// A background job of sh ignores SIGINT and SIGQUIT, as sh has it.
			if s == unix.SIGINT || s == unix.SIGQUIT {
				syscall.Kill(sleeper, syscall.SIGKILL)
			}
			if exit.Signal != unix.SignalName(s) || exit.Status() != 128+int(s) {
				t.Errorf("%+v", exit)
			}
			eventually(t, "the descendant ends", func() bool { return !alive(sleeper) })
		})
	}
}

func TestSecondInterruptKills(t *testing.T) {
	_, rec, done := background(t, helper("leave", "deaf")) // the parent, killed, leaves a descendant deaf to SIGTERM
	deaf := pidAfter(t, rec.await("deaf"), "left")
	_, trap, trapDone := background(t, helper("trap"))
	trap.await("ready")
	raise(t, unix.SIGINT)
	trap.await("SIGINT")
	raise(t, unix.SIGINT)
	if exit := <-trapDone; exit.Signal != "SIGKILL" || exit.Interrupted != "SIGINT" || !exit.Forced || exit.Status() != 137 {
		t.Errorf("%+v", exit)
	}
	<-done
	eventually(t, "the descendant ends", func() bool { return !alive(deaf) })
}

// TestIgnoredStaysIgnored is nohup: SIGHUP ignored when cairn starts.
func TestIgnoredStaysIgnored(t *testing.T) {
	c := exec.Command("/bin/sh", "-c", `trap "" HUP INT; exec "$0" wrap '{"Shell":"kill -HUP $$; kill -INT $$; echo alive; exit 5"}'`, os.Args[0])
	out, _ := c.Output()
	if !strings.Contains(string(out), "alive") || c.ProcessState.ExitCode() != 5 {
		t.Errorf("%q %v", out, c.ProcessState)
	}
}

func TestSignalsAreGivenBack(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, unix.SIGHUP) // so that the test survives
	defer signal.Stop(c)
	run(t, Command{Shell: "true"})
	raise(t, unix.SIGHUP)
	<-c
}

// begun is a timeout that does not come before the child is what the test wants
// it to be, on a machine that does ten other things.
const begun = 3 * time.Second

func TestTimeout(t *testing.T) {
	t.Run("by SIGTERM", func(t *testing.T) {
		_, exit := run(t, Command{Argv: []string{"sleep", "60"}, Timeout: 30 * time.Millisecond})
		if !exit.TimedOut || exit.Signal != "SIGTERM" || exit.Status() != 143 || exit.Interrupted != "" {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("the child may still say its code", func(t *testing.T) {
		t.Parallel()
		rec, exit := run(t, Command{Shell: "trap 'echo bye; exit 9' TERM; echo in; while :; do sleep 0.01; done", Timeout: begun})
		if !exit.TimedOut || exit.Code != 9 || exit.Status() != 9 || string(rec.out[Stdout]) != "in\nbye\n" {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
	t.Run("a child deaf to SIGTERM", func(t *testing.T) {
		t.Parallel()
		cmd := helper("trap")
		cmd.Timeout, cmd.Grace = begun, time.Second
		rec, exit := run(t, cmd)
		if !exit.TimedOut || exit.Signal != "SIGKILL" || !strings.Contains(string(rec.all), "SIGTERM") {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
	t.Run("a descendant deaf to SIGTERM", func(t *testing.T) {
		t.Parallel()
		cmd := helper("leave", "deaf")
		cmd.Timeout, cmd.Grace = begun, 50*time.Millisecond
		rec, exit := run(t, cmd)
		pid := pidAfter(t, string(rec.out[Stdout]), "deaf")
		if !exit.TimedOut || exit.Signal != "SIGTERM" || exit.OpenPipes {
			t.Errorf("%q %+v", rec.all, exit)
		}
		eventually(t, "the descendant ends", func() bool { return !alive(pid) })
	})
	t.Run("a stopped child", func(t *testing.T) {
		_, exit := run(t, Command{Shell: "kill -STOP $$", Timeout: 50 * time.Millisecond})
		if !exit.TimedOut || exit.Signal != "SIGTERM" {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("not reached", func(t *testing.T) {
		if _, exit := run(t, Command{Shell: "exit 1", Timeout: time.Hour}); exit.TimedOut || exit.Code != 1 {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("during the drain", func(t *testing.T) {
		t.Parallel()
		cmd := helper("leave", "quiet")
		cmd.Drain, cmd.Timeout = begun+50*time.Millisecond, begun
		rec, exit := run(t, cmd)
		pid := pidAfter(t, string(rec.out[Stdout]), "left")
		defer syscall.Kill(pid, syscall.SIGKILL)
		if exit.TimedOut || exit.Code != 3 || !exit.OpenPipes || !alive(pid) {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("before Wait", func(t *testing.T) {
		p, err := Start(context.Background(), Command{Argv: []string{"sleep", "60"}, Timeout: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "the child ends", func() bool { return !alive(p.Pid()) })
		if exit, err := p.Wait(nil); !exit.TimedOut || err != nil {
			t.Errorf("%+v %v", exit, err)
		}
	})
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p, err := Start(ctx, Command{Argv: []string{"sleep", "60"}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if exit, _ := p.Wait(nil); !exit.Cancelled || exit.TimedOut || exit.Signal != "SIGTERM" {
		t.Errorf("%+v", exit)
	}
}

// TestOurDeath kills the wrapper as a caller's timeout would: its group does not contain the child.
func TestOurDeath(t *testing.T) {
	c := exec.Command(os.Args[0], "wrap", `{"Argv":["sleep","60"]}`)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	n, _ := out.Read(buf)
	pid := pidAfter(t, string(buf[:n]), "wrapped")
	c.Process.Kill()
	c.Wait()
	eventually(t, "the child ends", func() bool { return !alive(pid) })
}
