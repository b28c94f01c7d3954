package subagent

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/capture/child"
)

// Pi is how the parent was started: process.execPath, process.argv[1] and the arguments after it.
type Pi struct {
	Exec   string   `json:"exec"`
	Script string   `json:"script,omitempty"`
	Args   []string `json:"args,omitempty"`
}

// program is the command that starts another pi: by the same script, as the same binary, or by its name.
func (p Pi) program() []string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(p.Exec)), ".exe")
	interpreter := name == "node" || name == "bun" || name == "deno"
	if _, err := os.Stat(p.Script); err == nil && interpreter && p.Script != "" {
		return []string{p.Exec, p.Script}
	}
	if p.Exec != "" && !interpreter { // a binary that contains the script
		return []string{p.Exec}
	}
	return []string{"pi"}
}

// handedOn are the parent's options that a subagent needs too, and how many arguments follow each. They include what a
// project may do, but only as the user has set it for the parent.
var handedOn = map[string]int{
	"-e": 1, "--extension": 1, "-ne": 0, "--no-extensions": 0, "--api-key": 1, "-nc": 0, "--no-context-files": 0,
	"-a": 0, "--approve": 0, "-na": 0, "--no-approve": 0, "--offline": 0,
}

func (p Pi) options() (all []string) {
	for i := 0; i < len(p.Args); i++ {
		if p.Args[i] == "--" {
			break
		}
		if n, ok := handedOn[p.Args[i]]; ok && i+n < len(p.Args) {
			all = append(all, p.Args[i:i+n+1]...)
			i += n
		}
	}
	return all
}

func (p Pi) argv(j Job) []string {
	argv := append(p.program(), "--mode", "json", "--no-session", "--no-skills", "--no-prompt-templates", "--no-themes")
	argv = append(argv, p.options()...)
	if len(j.Tools) == 0 {
		argv = append(argv, "--no-tools")
	} else {
		argv = append(argv, "--tools", strings.Join(j.Tools, ","))
	}
	if j.Model.Name != "" {
		argv = append(argv, "--model", j.Model.Name)
	}
	if j.Model.Thinking != "" {
		argv = append(argv, "--thinking", j.Model.Thinking)
	}
	return argv
}

// AsProcess returns a Runner that starts each subagent as a process, in a directory.
func (p Pi) AsProcess(dir string, environ []string) Runner {
	return func(ctx context.Context, j Job, event func([]byte), note func(string)) error {
		return p.start(ctx, p.argv(j), dir, environ, j, event, note)
	}
}

// start runs argv as a subagent.
func (p Pi) start(ctx context.Context, argv []string, dir string, environ []string, j Job, event func([]byte), note func(string)) error {
	env := append(slices.Clone(environ), "CAIRN_SESSION="+j.ID, "CAIRN_PARENT="+j.Session, "CAIRN_SUBAGENT="+j.ID)
	stdin, err := piped(j.Prompt) // standard input has no limit of length, and no text in it is read as an option or @file
	if err != nil {
		return err
	}
	defer stdin.Close()
	proc, err := child.Start(ctx, child.Command{Argv: argv, Dir: dir, Env: env, Stdin: stdin})
	if err != nil {
		return fmt.Errorf("starting pi for a subagent: %w", err)
	}
	out := &sink{events: splitter{event: event, note: note}}
	exit, err := proc.Wait(out)
	out.events.end()
	switch {
	case err != nil:
		return fmt.Errorf("running pi for a subagent: %w", err)
	case exit.Status() != 0:
		return fmt.Errorf("pi ended with status %d: %s", exit.Status(), strings.TrimSpace(string(out.errors)))
	}
	return nil
}

// piped is a file from which text can be read once.
func piped(text string) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() { // ends when all is read, or when the reader is gone
		defer w.Close()
		_, _ = io.WriteString(w, text)
	}()
	return r, nil
}

// sink takes pi's output: events, and the end of its standard error.
type sink struct {
	events splitter
	errors []byte
}

// maxErrors bounds the standard error that is kept, in bytes.
const maxErrors = 2 << 10

func (s *sink) Chunk(stream child.Stream, _ time.Duration, p []byte) error {
	if stream == child.Stderr {
		s.errors = append(s.errors, p[max(0, len(p)-maxErrors):]...)
		s.errors = append(s.errors[:0], s.errors[max(0, len(s.errors)-maxErrors):]...)
		return nil
	}
	s.events.Write(p)
	return nil
}

// Queue limits how many subagents run at a time. Those that wait get their turns in the
// order in which they came. The zero value is ready to use.
type Queue struct {
	mu      sync.Mutex
	running int
	waiting []*waiter
}

type waiter struct {
	limit int
	turn  chan struct{}
}

// Wait waits until fewer than limit subagents run; with a limit of 0 it does not wait.
// release ends the turn; only its first call counts.
func (q *Queue) Wait(ctx context.Context, limit int) (release func(), err error) {
	p := &waiter{limit, make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, p)
	q.next()
	q.mu.Unlock()
	select {
	case <-p.turn:
		if ctx.Err() == nil {
			return sync.OnceFunc(q.release), nil
		}
		q.release()
	case <-ctx.Done():
		q.leave(p)
	}
	return nil, context.Cause(ctx)
}

// next gives turns to the first who wait, as far as their limits allow. The caller holds
// the lock.
func (q *Queue) next() {
	for len(q.waiting) > 0 && (q.waiting[0].limit == 0 || q.running < q.waiting[0].limit) {
		close(q.waiting[0].turn)
		q.waiting = q.waiting[1:]
		q.running++
	}
}

func (q *Queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.next()
}

// leave takes p out of the queue, or gives its turn back if it has got one meanwhile.
func (q *Queue) leave(p *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := slices.Index(q.waiting, p); at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	} else {
		q.running--
	}
	q.next()
}

// maxEvent bounds one event, in bytes. It may contain a tool's output of several megabytes, escaped.
const maxEvent = 32 << 20

// wanted are the types of events whose contents a timeline reads; of "turn_end", only the type counts. Other events
// repeat these, some with the whole conversation; they are dropped while they are read.
var wanted = []string{"message_update", "message_end", "tool_execution_start", "tool_execution_end"}

// splitter cuts what a process prints into events. Each event is one line.
type splitter struct {
	event func(line []byte)
	note  func(text string)

	line []byte
	skip bool
	lost int // how many bytes of this line exceeded the limit
}

func (s *splitter) Write(p []byte) {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		s.take(part)
		if ended {
			s.end()
		}
		p = rest
	}
}

// maxType is how many bytes from the beginning of a line are enough to read its type.
const maxType = 64

func (s *splitter) take(part []byte) {
	if s.skip {
		return
	}
	if len(s.line)+len(part) > maxEvent {
		s.lost += len(part)
		return
	}
	s.line = append(s.line, part...)
	if kind := typeOf(s.line); len(s.line) >= maxType && kind != "" && !slices.Contains(wanted, kind) {
		s.line, s.skip = s.line[:maxType], true
	}
}

// end is called at the end of a line, and passes its event on.
func (s *splitter) end() {
	line, lost := s.line, s.lost
	if cap(s.line) > 1<<20 {
		s.line = nil
	}
	s.line, s.skip, s.lost = s.line[:0], false, 0
	kind := typeOf(line)
	switch {
	case lost > 0:
		s.note(fmt.Sprintf("an event %s of %d bytes was too long to be kept", kind, len(line)+lost))
	case kind == "turn_end":
		s.event([]byte(`{"type":"turn_end"}`))
	case kind == "" || slices.Contains(wanted, kind):
		s.event(line)
	}
}

// typeOf reads the type of an event. pi writes it at the beginning; "" means that it is not there.
func typeOf(line []byte) string {
	rest, ok := bytes.CutPrefix(line[:min(len(line), maxType)], []byte(`{"type":"`))
	if kind, _, ended := bytes.Cut(rest, []byte(`"`)); ok && ended {
		return string(kind)
	}
	return ""
}
