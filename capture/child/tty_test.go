//go:build unix

package child

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// console is a real terminal with someone in front of it: a pseudo-terminal that a process of a session of its own
// has as its controlling terminal.
type console struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	mu     sync.Mutex
	seen   []byte
	news   *sync.Cond
	closed bool
	err    error
}

// login runs a part of the helper in front of the terminal.
func login(t *testing.T, args ...string) *console {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	keepOutput(int(slave.Fd())) // or Ctrl-C could drop what a test waits for
	pty.Setsize(master, &pty.Winsize{Rows: 33, Cols: 111})
	c := &console{t: t, master: master, cmd: exec.Command(os.Args[0], args...)}
	c.news = sync.NewCond(&c.mu)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, slave
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			c.mu.Lock()
			c.seen = append(c.seen, buf[:n]...)
			c.closed, c.err = err != nil, err
			c.news.Broadcast()
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
		c.cmd.Wait()
		<-read
		master.Close()
	})
	return c
}

// await blocks until the terminal has shown text n times, and returns all it has shown.
func (c *console) await(text string, n int) string {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for bytes.Count(c.seen, []byte(text)) < n {
		if c.closed {
			c.cmd.Wait()
			c.t.Fatalf("%q is not in what the terminal showed (%v, %v):\n%q", text, c.cmd.ProcessState, c.err, c.seen)
		}
		c.news.Wait()
	}
	return string(c.seen)
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := c.master.Write([]byte(keys)); err != nil {
		c.t.Fatal(err)
	}
}

const ctrlC, ctrlZ, ctrlD, ctrlBackslash = "\x03", "\x1a", "\x04", "\x1c"

// wrapped is the argument of the part "wrap".
func wrapped(t *testing.T, cmd Command) []string {
	t.Helper()
	text, err := json.Marshal(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"wrap", string(text)}
}

func TestCtrlC(t *testing.T) {
	for _, key := range []struct{ key, signal string }{{ctrlC, "SIGINT"}, {ctrlBackslash, "SIGQUIT"}} {
		t.Run(key.signal+" arrives once", func(t *testing.T) {
			c := login(t, wrapped(t, helper("trap"))...)
			child := pidAfter(t, c.await("ready", 1), "wrapped")
			c.press(key.key)
			c.await(key.signal, 1)
			syscall.Kill(child, syscall.SIGHUP) // whatever was sent before has arrived when this has
			c.await("SIGHUP", 1)
			syscall.Kill(child, syscall.SIGUSR1)
			out := c.await("exit 7", 1)
			if before, _, _ := strings.Cut(out, "SIGHUP"); strings.Count(before, key.signal) != 1 {
				t.Errorf("not once:\n%s", out)
			}
		})
	}
	t.Run("twice kills", func(t *testing.T) {
		c := login(t, append([]string{"shell"}, wrapped(t, helper("trap"))...)...)
		c.await("ready", 1)
		c.press(ctrlC)
		c.await("SIGINT", 1)
		c.press(ctrlC)
		c.await(`exit -1 "SIGKILL" "SIGINT"`, 1)
		c.await("shell: ended 137", 1)
	})
	t.Run("once while the terminal is lent", func(t *testing.T) {
		c := login(t, "shell", wrapped(t, helper("readtty", "then"))[0], wrapped(t, helper("readtty", "then"))[1])
		child := pidAfter(t, c.await("reading", 1), "wrapped")
		c.press("hello\n")
		c.await(`read "hello\n" <nil>`, 1)
		c.await("ready", 1)
		for range 3 { // any number: they go to the child and are its own affair
			c.press(ctrlC)
		}
		c.await("SIGINT", 1)
		syscall.Kill(child, syscall.SIGHUP)
		c.await("SIGHUP", 1)
		syscall.Kill(child, syscall.SIGUSR1)
		out := c.await("shell: ended 7 restored=true", 1)
		if strings.Count(out, "SIGINT") > 3 || !strings.Contains(out, `exit 7 "" ""`) {
			t.Errorf("%s", out)
		}
	})
}

func TestTerminalIsLent(t *testing.T) {
	shell := func(t *testing.T, cmd Command) *console {
		return login(t, append([]string{"shell"}, wrapped(t, cmd)...)...)
	}
	t.Run("to a child that reads", func(t *testing.T) {
		c := shell(t, Command{Shell: `read a; read b; echo "$b $a"`})
		c.await("wrapped", 1)
		c.press("world\nhello\n")
		c.await("hello world", 1)
		c.await("shell: ended 0 restored=true", 1)
	})
	t.Run("to a child that sets its modes", func(t *testing.T) {
		c := shell(t, Command{Shell: `stty -echo && stty echo && echo done`})
		c.await("done", 1)
		c.await("shell: ended 0 restored=true", 1)
	})
	t.Run("and taken back from one that is killed", func(t *testing.T) {
		c := shell(t, helper("readtty"))
		child := pidAfter(t, c.await("reading", 1), "wrapped")
		eventually(t, "the child reads", func() bool { return foreground(int(c.master.Fd())) == child })
		syscall.Kill(child, syscall.SIGKILL)
		c.await("shell: ended 137 restored=true", 1)
	})
	t.Run("end of input", func(t *testing.T) {
		c := shell(t, Command{Shell: `cat; echo through`})
		c.await("wrapped", 1)
		c.press("x\n")
		c.await("x\r\n", 2)
		c.press(ctrlD)
		c.await("through", 1)
	})
}

func TestCtrlZ(t *testing.T) {
	t.Run("stops and continues both", func(t *testing.T) {
		// Not a loop of sh: stopped between its vfork and exec, a child of sh leaves sh unstoppable, with or without us.
		c := login(t, append([]string{"shell"}, wrapped(t, helper("trap"))...)...)
		child := pidAfter(t, c.await("ready", 1), "wrapped")
		c.press(ctrlZ)
		c.await("shell: stopped", 1)
		if s := state(t, child); s != "T" {
			t.Errorf("the child is in state %s", s)
		}
		c.press("fg\n")
		eventually(t, "the child goes on", func() bool { return state(t, child) != "T" })
		c.press(ctrlZ)
		c.await("shell: stopped", 2)
		c.press("bg\n")
		eventually(t, "the child goes on", func() bool { return state(t, child) != "T" })
		syscall.Kill(child, syscall.SIGUSR1)
		c.await(`exit 7 "" ""`, 1)
	})
	t.Run("while the terminal is lent", func(t *testing.T) {
		c := login(t, append([]string{"shell"}, wrapped(t, Command{Shell: `echo one; read a; echo "two $a"; read b; echo "three $b"`})...)...)
		child := pidAfter(t, c.await("one", 1), "wrapped")
		c.press("A\n")
		c.await("two A", 1)
		eventually(t, "the child has the terminal", func() bool { return foreground(int(c.master.Fd())) == child })
		c.press(ctrlZ)
		c.await("shell: stopped", 1)
		c.press("fg\n")
		eventually(t, "the child has the terminal", func() bool { return foreground(int(c.master.Fd())) == child })
		c.press("B\n")
		c.await("three B", 1)
		c.await("shell: ended 0 restored=true", 1)
	})
	t.Run("a reader in the background waits for fg", func(t *testing.T) {
		c := login(t, append([]string{"shell"}, wrapped(t, helper("readtty", "late"))...)...)
		child := pidAfter(t, c.await("later", 1), "wrapped")
		c.press(ctrlZ)
		c.await("shell: stopped", 1)
		c.press("bg\n")
		syscall.Kill(child, syscall.SIGUSR1) // now it reads
		c.await("shell: stopped", 2)         // for want of the terminal
		c.press("fg\n")
		c.press("A\n")
		c.await(`read "A\n"`, 1)
		c.await("shell: ended 0 restored=true", 1)
	})
}

// state is the letter of ps for a process.
func state(t *testing.T, pid int) string {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		t.Skip("no /proc")
	}
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0]
}

func TestPseudoTerminal(t *testing.T) {
	t.Run("without one of ours", func(t *testing.T) {
		rec, exit := run(t, Command{Argv: helper("ttyinfo").Argv, TTY: true})
		want := "false true true 80x24\r\n"
		if size, ok := openTerminal(); ok { // go test from a terminal
			unix.Close(size)
			want = "false true true "
		}
		if got := string(rec.out[Stdout]); !strings.HasPrefix(got, want) || exit.Code != 0 || exit.OpenPipes {
			t.Errorf("%q %+v", got, exit)
		}
	})
	t.Run("one stream", func(t *testing.T) {
		rec, exit := run(t, Command{Shell: "echo a; echo b >&2; printf 'c\\n\\r\\0'; exit 6", TTY: true})
		if got := string(rec.out[Stdout]); got != "a\r\nb\r\nc\r\n\r\x00" || len(rec.out[Stderr]) > 0 || exit.Code != 6 {
			t.Errorf("%q %+v", got, exit)
		}
	})
	t.Run("every byte of much", func(t *testing.T) {
		rec, _ := run(t, Command{Argv: helper("flood", "3000000").Argv, TTY: true})
		if len(rec.all) != 3_000_000 {
			t.Errorf("%d bytes", len(rec.all))
		}
	})
	t.Run("standard input that is a pipe stays one", func(t *testing.T) {
		data := []byte("\x00\x03\x04\xff\n")
		rec, _ := run(t, Command{Shell: "od -An -tx1", Stdin: fileWith(t, data), TTY: true})
		if got := strings.TrimSpace(string(rec.all)); got != "00 03 04 ff 0a" {
			t.Errorf("%q", got)
		}
	})
	t.Run("Ctrl-C drops nothing", func(t *testing.T) {
		rec, _ := run(t, Command{Shell: "stty -a <&1", TTY: true})
		if got := string(rec.all); !strings.Contains(got, " noflsh") {
			t.Errorf("%q", got)
		}
	})
	t.Run("is told of a child that uses it as an input", func(t *testing.T) {
		for line, want := range map[string]bool{"stty -echo <&1; while :; do sleep 0.1; done": true, "stty raw <&1; while :; do sleep 0.1; done": true, "sleep 0.3": false} {
			ctx, cancel := context.WithCancel(t.Context())
			p, err := Start(ctx, Command{Shell: line, TTY: true, Asks: cancel})
			if err != nil {
				t.Fatal(err)
			}
			if exit, err := p.Wait(newRecord()); err != nil || exit.Cancelled != want { // without being told the first two never end
				t.Errorf("%s: %+v", line, exit)
			}
			cancel()
		}
	})
	t.Run("SIGINT to us", func(t *testing.T) {
		cmd := helper("trap")
		cmd.TTY = true
		p, rec, done := background(t, cmd)
		rec.await("ready")
		raise(t, unix.SIGINT)
		rec.await("SIGINT")
		syscall.Kill(p.Pid(), syscall.SIGUSR1)
		if exit := <-done; exit.Code != 7 || exit.Interrupted != "SIGINT" {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("a signal ends it", func(t *testing.T) {
		if _, exit := run(t, Command{Shell: "kill -KILL $$", TTY: true}); exit.Signal != "SIGKILL" {
			t.Errorf("%+v", exit)
		}
	})
	t.Run("left open", func(t *testing.T) {
		cmd := Command{Shell: "trap '' HUP; sleep 60 & echo left $!", TTY: true, Drain: 1}
		rec, exit := run(t, cmd)
		pid := pidAfter(t, string(rec.all), "left")
		syscall.Kill(pid, syscall.SIGKILL)
		if !exit.OpenPipes || exit.Code != 0 {
			t.Errorf("%q %+v", rec.all, exit)
		}
	})
}

func TestPseudoTerminalInFrontOfATerminal(t *testing.T) {
	start := func(t *testing.T, cmd Command) *console {
		cmd.TTY = true
		return login(t, append([]string{"shell"}, wrapped(t, cmd)...)...)
	}
	t.Run("size and input", func(t *testing.T) {
		c := start(t, helper("ttyinfo"))
		c.await("true true true 111x33", 1)
	})
	t.Run("typing", func(t *testing.T) {
		c := start(t, Command{Shell: `echo ready; read a; echo "got $a"`})
		c.await("ready", 1)
		c.press("hello\r")
		c.await("got hello", 1)
		c.await("shell: ended 0 restored=true", 1)
	})
	t.Run("Ctrl-C arrives once", func(t *testing.T) {
		c := start(t, helper("trap"))
		c.await("ready", 1)
		c.press(ctrlC)
		out := c.await("SIGINT", 1)
		child := pidAfter(t, out, "ready")
		syscall.Kill(child, syscall.SIGUSR1)
		out = c.await("shell: ended 7", 1)
		if strings.Count(out, "SIGINT") != 1 || !strings.Contains(out, `exit 7 "" ""`) {
			t.Errorf("%s", out)
		}
	})
	t.Run("the size follows", func(t *testing.T) {
		c := start(t, helper("trap"))
		child := pidAfter(t, c.await("ready", 1), "ready")
		pty.Setsize(c.master, &pty.Winsize{Rows: 20, Cols: 50})
		c.await("SIGWINCH", 1)
		syscall.Kill(child, syscall.SIGUSR1)
		c.await("shell: ended 7", 1)
	})
	t.Run("modes are restored", func(t *testing.T) {
		c := start(t, Command{Shell: "echo ready; read a"})
		c.await("ready", 1)
		c.press("\r")
		if out := c.await("shell: ended 0", 1); !strings.Contains(out, "modes restored=true") {
			t.Errorf("%s", out)
		}
	})
}
