//go:build unix

package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// The test binary is its own child: with this variable set it plays the part named by its first argument.
const helperEnv = "CAIRN_CHILD_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) != "" {
		part, ok := parts[os.Args[1]]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such part:", os.Args[1])
			os.Exit(99)
		}
		part(os.Args[2:])
		os.Exit(0)
	}
	if code, ok := heedSignals(); ok {
		os.Exit(code)
	}
	os.Setenv(helperEnv, "1")
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("os/signal.signal_recv"))
}

// heedSignals runs the tests in a process that ignores no signal, where this one
// does: under nohup it would wait for ever for a SIGHUP that it never sees.
func heedSignals() (code int, ok bool) {
	heeded := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM}
	const again = "CAIRN_CHILD_TESTS_AGAIN"
	if os.Getenv(again) != "" || !slices.ContainsFunc(heeded, signal.Ignored) {
		return 0, false
	}
	signal.Notify(make(chan os.Signal, 1), heeded...) // what is caught is at its default in a new process
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), again+"=1")
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	if code = cmd.ProcessState.ExitCode(); code < 0 {
		code = 1 // ended by a signal
	}
	return code, true
}

// helper is the command that plays a part.
func helper(part string, args ...string) Command {
	return Command{Argv: append([]string{os.Args[0], part}, args...)}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// say prints a line at once and in one write.
func say(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }

var parts map[string]func(args []string)

func init() {
	parts = map[string]func([]string){
		"exit":      func(a []string) { os.Exit(number(a[0])) },
		"args":      func(a []string) { fmt.Printf("%q", a) },
		"cat":       func([]string) { io.Copy(os.Stdout, os.Stdin) },
		"die":       partDie,
		"trap":      partTrap,
		"leave":     partLeave,
		"hold":      partHold,
		"alternate": partAlternate,
		"flood":     partFlood,
		"status":    partStatus,
		"first":     partFirst,
		"wrap":      partWrap,
		"shell":     partShell,
		"readtty":   partReadTTY,
		"ttyinfo":   partTTYInfo,
	}
}

// die SIGNAL: end by that signal.
func partDie(a []string) {
	s := syscall.Signal(number(a[0]))
	signal.Reset(s)
	// The runtime catches some of these for itself; a shell that execs nothing does not.
	syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + a[0] + " $$"}, os.Environ())
}

// trap: say every signal that comes, end on SIGUSR1.
func partTrap(a []string) {
	c := make(chan os.Signal, 100)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGWINCH)
	say("ready %d", os.Getpid())
	for s := range c {
		if s == syscall.SIGUSR1 {
			os.Exit(7)
		}
		say("%s", unix.SignalName(s.(syscall.Signal)))
	}
}

// leave HOW LIFE: print, leave a descendant that holds the pipe (quiet, or chatty every ms, or ignoring SIGTERM), exit 3.
func partLeave(a []string) {
	c := exec.Command(os.Args[0], append([]string{"hold"}, a...)...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	ready, _ := c.StdinPipe()
	_ = ready
	if err := c.Start(); err != nil {
		panic(err)
	}
	say("left %d", c.Process.Pid)
	if a[0] == "deaf" || a[0] == "wait" {
		c.Wait()
	}
	os.Exit(3)
}

func partHold(a []string) {
	if a[0] == "deaf" {
		signal.Ignore(syscall.SIGTERM)
		say("deaf %d", os.Getpid())
	}
	end := time.After(time.Minute)
	tick := time.NewTicker(time.Millisecond)
	for {
		select {
		case <-end:
			return
		case <-tick.C:
			if a[0] == "chatty" {
				say("still here")
			}
		}
	}
}

// alternate N: N numbered lines, even ones on stdout, odd ones on stderr.
func partAlternate(a []string) {
	var line []byte
	for i := range number(a[0]) {
		line = append(strconv.AppendInt(line[:0], int64(i), 10), '\n')
		if i%2 == 0 {
			os.Stdout.Write(line)
		} else {
			os.Stderr.Write(line)
		}
	}
}

// flood BYTES: that many bytes without a line end.
func partFlood(a []string) {
	block := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	for n := number(a[0]); n > 0; {
		k := min(n, len(block))
		if _, err := os.Stdout.Write(block[:k]); err != nil {
			os.Exit(9)
		}
		n -= k
	}
}

// status: what the kernel knows of this process: descriptors, signals, limits, group, blocking mode of the output.
func partStatus([]string) {
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		target, _ := os.Readlink("/proc/self/fd/" + e.Name())
		say("fd %s %v", e.Name(), strings.Contains(target, "pipe:"))
	}
	for fd := range 3 {
		flags, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		say("nonblock %d %v", fd, flags&unix.O_NONBLOCK != 0)
	}
	say("group %v", unix.Getpgrp() == os.Getpid())
}

// first: one byte without a line end, then wait for the input to end.
func partFirst([]string) {
	os.Stdout.Write([]byte{'x'})
	io.Copy(io.Discard, os.Stdin)
}

// wrap JSON: be what cairn will be: run a command with our own standard input, pass the output on, say how it ended.
func partWrap(a []string) {
	var cmd Command
	if err := json.Unmarshal([]byte(a[0]), &cmd); err != nil {
		panic(err)
	}
	cmd.Stdin = os.Stdin
	p, err := Start(context.Background(), cmd)
	if err != nil {
		say("start: %v", err)
		os.Exit(Exit{StartErr: err}.Status())
	}
	say("wrapped %d", p.Pid())
	exit, err := p.Wait(sinkFunc(func(s Stream, _ time.Duration, b []byte) error {
		_, err := os.Stdout.Write(b)
		return err
	}))
	say("exit %d %q %q timeout=%v open=%v err=%v", exit.Code, exit.Signal, exit.Interrupted, exit.TimedOut, exit.OpenPipes, err)
	os.Exit(exit.Status())
}

// shell ARGV...: a shell with job control that runs one job in the foreground. When the job stops it says so, waits for a line
// of input, and continues the job in the foreground ("fg") or behind ("bg").
func partShell(a []string) {
	const tty = 0
	self := unix.Getpgrp()
	pid, err := syscall.ForkExec(os.Args[0], append([]string{os.Args[0]}, a...), &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Foreground: true, Ctty: tty},
	})
	if err != nil {
		panic(err)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err == syscall.EINTR {
			continue
		}
		front := foreground(tty)
		setForeground(tty, self)
		if !status.Stopped() {
			stty := exec.Command("stty", "-a")
			stty.Stdin = os.Stdin
			modes, err := stty.Output()
			say("modes restored=%v", err == nil && !bytes.Contains(modes, []byte("-icanon")))
			say("shell: ended %d restored=%v", status.ExitStatus(), front == pid)
			return
		}
		say("shell: stopped")
		line, _ := in.ReadString('\n')
		if strings.TrimSpace(line) == "fg" {
			setForeground(tty, pid)
		}
		syscall.Kill(-pid, syscall.SIGCONT)
	}
}

// readtty [late|then]: read a line from the terminal; late: not before SIGUSR1; then: be a trap after it.
func partReadTTY(a []string) {
	if len(a) > 0 && a[0] == "late" {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		say("later")
		<-c
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		say("no terminal: %v", err)
		os.Exit(1)
	}
	say("reading")
	line, err := bufio.NewReader(tty).ReadString('\n')
	say("read %q %v", line, err)
	if len(a) > 0 && a[0] == "then" {
		partTrap(nil)
	}
}

// ttyinfo: what the child's descriptors are.
func partTTYInfo([]string) {
	cols, rows, _ := term.GetSize(1)
	say("%v %v %v %dx%d", term.IsTerminal(0), term.IsTerminal(1), term.IsTerminal(2), cols, rows)
}

type sinkFunc func(Stream, time.Duration, []byte) error

func (f sinkFunc) Chunk(s Stream, at time.Duration, p []byte) error { return f(s, at, p) }

// record is a sink that keeps everything, and checks that calls do not overlap.
type record struct {
	inside atomic.Int32
	mu     sync.Mutex
	all    []byte
	out    map[Stream][]byte
	runs   []Stream // the stream of each chunk
	at     []time.Duration
	change *sync.Cond
}

func newRecord() *record {
	r := &record{out: map[Stream][]byte{}}
	r.change = sync.NewCond(&r.mu)
	return r
}

func (r *record) Chunk(s Stream, at time.Duration, p []byte) error {
	if r.inside.Add(1) != 1 {
		panic("two chunks at once")
	}
	defer r.inside.Add(-1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, p...)
	r.out[s] = append(r.out[s], p...)
	r.runs = append(r.runs, s)
	r.at = append(r.at, at)
	r.change.Broadcast()
	return nil
}

// await blocks until stdout holds text, and returns all of it.
func (r *record) await(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !bytes.Contains(r.out[Stdout], []byte(text)) {
		r.change.Wait()
	}
	return string(r.out[Stdout])
}

// run runs a command to its end.
func run(t testing.TB, cmd Command) (*record, Exit) {
	t.Helper()
	p, err := Start(context.Background(), cmd)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	rec := newRecord()
	exit, err := p.Wait(rec)
	if err != nil {
		t.Errorf("wait: %v", err)
	}
	return rec, exit
}

// background runs a command and returns before its end.
func background(t testing.TB, cmd Command) (*Process, *record, <-chan Exit) {
	t.Helper()
	p, err := Start(context.Background(), cmd)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	rec, done := newRecord(), make(chan Exit, 1)
	go func() {
		exit, _ := p.Wait(rec)
		done <- exit
	}()
	return p, rec, done
}

func wantStart(t *testing.T, cmd Command, status int, text string) {
	t.Helper()
	p, err := Start(context.Background(), cmd)
	if err == nil {
		p.Wait(nil)
		t.Fatalf("started, want status %d", status)
	}
	var start *StartError
	if !errors.As(err, &start) {
		t.Fatalf("%v is no StartError", err)
	}
	if got := (Exit{StartErr: err}).Status(); got != status || !strings.Contains(err.Error(), text) {
		t.Errorf("got %d %q, want %d with %q", got, err, status, text)
	}
}

// alive says whether a process exists and is no zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return fields[0] != "Z"
}

// eventually polls for a condition, with a bound that only a failing test meets.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for range 2000 {
		if cond() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// pidAfter finds the number that follows a word in text.
func pidAfter(t *testing.T, text, word string) int {
	t.Helper()
	_, rest, ok := strings.Cut(text, word+" ")
	if !ok {
		t.Fatalf("no %q in %q", word, text)
	}
	return number(strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })[0])
}

// bareOutput runs a shell line with os/exec alone.
func bareOutput(line string) (string, error) {
	out, err := exec.Command("/bin/sh", "-c", line).Output()
	return string(out), err
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}
