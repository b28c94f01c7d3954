package shell

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"cairn/agents"
	"cairn/capture"
	"cairn/capture/child"
	"cairn/internal/guard"
	"cairn/internal/place"
	"cairn/recall"
	"cairn/result"
)

// Inside is set in the environment of the commands that a captured line runs.
const Inside = "CAIRN_INSIDE"

const (
	// holdUnknown is how long output is held if its command has no parser.
	holdUnknown = 5 * time.Second
	// showPatience bounds how long git may take to return the setting.
	showPatience = 2 * time.Second
	// firstBeat is when the progress of a running command is first printed: well within the shortest time limit of a
	// host (Codex yields after 10 s), and after most commands have ended.
	firstBeat = 8 * time.Second
)

// Options are the arguments and the environment of a shell.
type Options struct {
	Args    []string // of "cairn shell"
	As      string   // the path by which the host called the stand-in
	Dir     string   // "" if it is gone: then nothing is recorded
	Env     place.Env
	Environ []string
	Stdin   *os.File
	Out     *os.File
	Err     *os.File
	Now     func() time.Time
	Large   func()        // called once if the output is long; may be nil
	Later   capture.Later // brings records into the branch after the answer; nil: at once
}

// Run runs what the host asks for and returns the exit status. A command that is passed through replaces this process,
// and Run does not return.
func Run(ctx context.Context, o Options) int {
	j := planned(o)
	if o.Dir == "" && j.pass == "" {
		j.pass = "the working directory is gone"
		o.notice("commands that are run in a directory that is gone are not recorded")
	}
	if j.pass == "" && j.leaves && (isTerminal(o.Out) || !capture.CanLeave()) {
		j.pass = "it leaves something running"
	}
	if j.pass != "" || isTerminal(o.Stdin) && isTerminal(o.Out) && agents.Of(o.Environ) == nil {
		return execute(o, j)
	}
	return record(ctx, o, j)
}

// planned is plan, except that after an error everything is passed through.
func planned(o Options) (j job) {
	if err := guard.Do("reading the line", func() { j = plan(o.Args, o.As, o.Environ) }); err != nil {
		return job{argv: append([]string{realShell(o.As, false, o.Environ)}, dashC(o)...), pass: err.Error()}
	}
	return j
}

func dashC(o Options) []string {
	if isLine(o.Args, o.As) {
		return []string{"-c", o.Args[0]}
	}
	return o.Args
}

// execute replaces this process by the real shell. If the host hides the status of the agent's own line, this process
// stays, to print it.
func execute(o Options, j job) int {
	if host := agents.Of(o.Environ); j.own && host != nil && host.HidesStatus && ParseShow(agents.Variable(o.Environ, "CAIRN_SHOW")) != Raw {
		if status, err := supervise(o, j); err == nil {
			return status
		}
	}
	err := Exec(j.argv, o.Environ)
	fmt.Fprintf(o.Err, "cairn: running %s: %v\n", j.argv[0], err)
	return child.StatusNotExecutable
}

// supervise runs the real shell on the host's own streams, and prints a status other than 0.
func supervise(o Options, j job) (int, error) {
	end := &lastByte{to: o.Out}
	cmd := exec.Command(j.argv[0], j.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Dir, o.Environ, o.Stdin, o.Out, o.Err
	if j.pass == onlyBuiltins { // nothing that it starts could hold the stream open
		cmd.Stdout = end
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // a host signals the whole group: the shell decides
	defer signal.Stop(caught)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() {
		for s := range caught {
			cmd.Process.Signal(s)
		}
	}()
	cmd.Wait() // ProcessState has the status
	status := cmd.ProcessState.ExitCode()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		status = 128 + int(ws.Signal())
	}
	if status != 0 {
		fmt.Fprintf(o.Out, "%s[exit %d]\n", end.newline(), status)
	}
	return status, nil
}

// lastByte passes output on and remembers whether the last line has a newline.
type lastByte struct {
	to   *os.File
	open bool
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.open = p[len(p)-1] != '\n'
	}
	return l.to.Write(p)
}

func (l *lastByte) newline() string {
	if l.open {
		return "\n"
	}
	return ""
}

// record captures the line and shows the outcome.
func record(ctx context.Context, o Options, j job) int {
	tty := isTerminal(o.Out)
	// A host may give its shell a terminal and read from it: the caller is an agent all the same.
	live := tty && (agents.Of(o.Environ) == nil || ParseShow(agents.Variable(o.Environ, "CAIRN_SHOW")) == Raw)
	h := &holder{out: o.Out, err: o.Err, tty: tty, live: live, spills: known(j.frame.Line)}
	stop := h.watch(o.Err)
	var out *capture.Outcome
	var begun atomic.Bool
	broken := guard.Do("capturing the line", func() {
		out = capture.Run(ctx, capture.Options{
			Command: child.Command{Argv: j.argv, Dir: o.Dir, Env: append(o.Environ, Inside+"=1"), Stdin: o.Stdin, TTY: tty, Asks: func() { h.Release() }},
			Line:    j.frame.Line,
			Frame:   j.frame.With,
			Env:     o.Env,
			By:      agents.By(o.Environ, "", ""),
			Now:     o.Now,
			Out:     o.Out, Err: o.Err,
			LiveOut: stream{h, false}, LiveErr: stream{h, true},
			Warn:  func(text string) { o.notice(text) },
			Begun: func(string) { begun.Store(true) },
			Large: o.Large,
			Later: o.Later,
		})
	})
	stop()
	h.ended()
	if broken != nil {
		return withoutOutcome(o, j, h, begun.Load(), broken)
	}
	if err := guard.Do("showing the answer", func() {
		recall.MarkSameTree(ctx, out.Site(), out.Record, out.Result)
		answer(o, h, showSetting(ctx, o, out.Site()), j.frame.Line, out)
	}); err != nil {
		h.Release()
		fmt.Fprintf(o.Out, "%s[cairn: %v; exit %d]\n", h.lineEnd(), err, out.Status)
	}
	for _, note := range out.CatchUp(ctx) {
		o.notice(note)
	}
	return out.Status
}

// withoutOutcome runs a line whose capture failed before it began. If it had begun it is not run again, and the output
// so far is shown.
func withoutOutcome(o Options, j job, h *holder, begun bool, why error) int {
	if !begun {
		return execute(o, j)
	}
	h.Release()
	fmt.Fprintf(o.Err, "cairn: %v\n", why)
	return child.StatusOwnTrouble
}

// answer shows the outcome according to the setting.
func answer(o Options, h *holder, show Show, line string, out *capture.Outcome) {
	size, _, _, _ := h.state()
	text, compact := compactText(show, line, out, size)
	switch {
	case compact && h.Drop():
		io.WriteString(o.Out, text)
	case compact && size > largeOutput: // the host will cut most of what was passed on
		io.WriteString(o.Out, h.lineEnd()+text)
	default:
		if err := h.Release(); err != nil {
			fmt.Fprintf(o.Err, "cairn: showing the output: %v\n", err)
		}
		host := agents.Of(o.Environ)
		if text := hidden(show, out) + trailer(show, out, size, host != nil && host.HidesStatus); text != "" {
			io.WriteString(o.Out, h.lineEnd()+text)
		}
	}
	if out.Trouble != nil && !o.notice(fmt.Sprintf("NOT FULLY RECORDED: %v", out.Trouble)) {
		fmt.Fprintln(o.Err, "cairn: NOT FULLY RECORDED, as said before")
	}
}

// watch looks after a command that takes long, until stop is called.
func (h *holder) watch(notes io.Writer) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		began, next := time.Now(), firstBeat
		if !h.spills {
			next = holdUnknown
		}
		for {
			wait := next - time.Since(began)
			if h.tty {
				wait = min(wait, quiet)
			}
			select {
			case <-done:
				return
			case <-time.After(wait):
			}
			if h.asks() {
				h.Release()
			}
			if time.Since(began) < next {
				continue
			}
			if !h.spills {
				h.Release()
				return
			}
			if size, lines, last, live := h.state(); !live {
				fmt.Fprintf(notes, "[cairn: running for %s, %s in %s so far%s]%s", next, result.Count(size, "byte"), result.Count(lines, "line"), lastWords(last), h.newline())
			}
			next *= 2
		}
	}()
	return func() { close(done); <-ended }
}

func lastWords(last string) string {
	if last == "" {
		return ""
	}
	return "; last: " + last
}

// showSetting is the setting from the environment, else from git's configuration as read by the capture, so that git is
// not asked twice.
func showSetting(ctx context.Context, o Options, site *place.Site) Show {
	if s := agents.Variable(o.Environ, "CAIRN_SHOW"); s != "" {
		return ParseShow(s)
	}
	if site == nil {
		return Auto
	}
	repo := cmp.Or(site.Repo, site.Home)
	if repo == nil {
		return Auto
	}
	ctx, cancel := context.WithTimeout(ctx, showPatience)
	defer cancel()
	s, err := repo.Config(ctx, "cairn.show")
	if err != nil {
		return Auto
	}
	return ParseShow(s)
}

func isTerminal(f *os.File) bool { return f != nil && term.IsTerminal(int(f.Fd())) }
