package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"cairn/agents"
	"cairn/agents/rpc/wire"
	"cairn/capture"
	"cairn/capture/child"
	"cairn/internal/guard"
	"cairn/manifest"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// helloParams say who calls. The record takes agent and session for every run that sets no others.
type helloParams struct {
	Version int    `json:"version"`
	Client  string `json:"client,omitempty"` // "pi 0.87.1"
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
}

type helloResult struct {
	Version int      `json:"version"`
	Program string   `json:"program"`
	Methods []string `json:"methods"`
}

func (s *Server) hello(_ context.Context, p helloParams, _ func(string, any)) (any, error) {
	if p.Version > wire.Version {
		return nil, bad("this cairn speaks version %d of the protocol, not %d: install a newer one", wire.Version, p.Version)
	}
	s.mu.Lock()
	s.session = true
	s.by = manifest.By{Agent: cmp.Or(p.Agent, s.by.Agent), Session: cmp.Or(p.Session, s.by.Session)}
	s.mu.Unlock()
	return helloResult{wire.Version, s.o.Program, s.names()}, nil
}

type runParams struct {
	Command   string            `json:"command"`
	CWD       string            `json:"cwd,omitempty"`
	TimeoutMS int64             `json:"timeout_ms,omitempty"`
	Env       map[string]string `json:"env,omitempty"` // added to the environment
	Agent     string            `json:"agent,omitempty"`
	Session   string            `json:"session,omitempty"`
	Progress  bool              `json:"progress,omitempty"`  // send events
	ParseAs   string            `json:"parse_as,omitempty"`  // a tool, or a parser id of structured_return
	Artifacts []string          `json:"artifacts,omitempty"` // reports that the command writes; may contain "*"
	Project   bool              `json:"project,omitempty"`   // use .pi/structured-return.json
}

// progress is the state of a running command.
type progress struct {
	Run       string `json:"run"`
	ElapsedMS int64  `json:"elapsed_ms"`
	Bytes     int64  `json:"bytes"`
	Lines     int64  `json:"lines"`
	Tail      string `json:"tail"` // the end of the output, at most maxTail bytes
}

type runResult struct {
	Text      string          `json:"text"` // the compact form
	Status    int             `json:"status"`
	Signal    string          `json:"signal,omitempty"`
	TimedOut  bool            `json:"timed_out,omitempty"`
	Cancelled bool            `json:"cancelled,omitempty"`
	Run       string          `json:"run,omitempty"`
	OID       string          `json:"oid,omitempty"`
	Bytes     int64           `json:"bytes"`
	Lines     int64           `json:"lines"`
	Result    json.RawMessage `json:"result,omitempty"` // the ToolResult
	Details   *details        `json:"details,omitempty"`
	Recorded  bool            `json:"recorded"`
	Notes     []string        `json:"notes,omitempty"`
}

func (s *Server) run(ctx context.Context, p runParams, event func(string, any)) (any, error) {
	switch {
	case p.Command == "":
		return nil, bad("run needs a command: the shell line to run")
	case p.TimeoutMS < 0:
		return nil, bad("run: the time limit of %d ms is below zero", p.TimeoutMS)
	}
	dir, err := s.dir(p.CWD)
	if err != nil {
		return nil, err
	}
	env := s.o.Environ
	for key, v := range p.Env {
		env = append(env[:len(env):len(env)], key+"="+v)
	}
	watch := newWatcher(s.o.Now)
	if p.Progress {
		defer watch.report(event)()
	}
	tool, notes := s.toolOf(p, dir)
	out := capture.Run(ctx, capture.Options{
		Command: child.Command{Argv: s.o.Shell(p.Command), Dir: dir, Env: env, Timeout: time.Duration(p.TimeoutMS) * time.Millisecond},
		Line:    p.Command,
		Tool:    tool, Artifacts: p.Artifacts,
		Env:     s.o.Env,
		By:      s.who(p.Agent, p.Session),
		Now:     s.o.Now,
		LiveOut: watch, LiveErr: watch,
		Begun: watch.begun,
		Later: s.o.Later,
		Warn:  func(text string) { notes = append(notes, text) },
	})
	recall.MarkSameTree(ctx, out.Site(), out.Record, out.Result)
	s.work.Go(func() { out.CatchUp(context.WithoutCancel(ctx)) })
	if out.Result != nil && len(p.Artifacts) > 0 && len(out.Result.Artifacts) == 0 {
		notes = append(notes, "none of the artifacts that were named was written by this run")
	}
	elsewhere := ""
	if dir != s.o.Dir {
		elsewhere = p.CWD
	}
	return told(out, dir, elsewhere, notes)
}

// idFirst adds the output's id to the first line, since an extension may cut the rest; the compact form has the id
// once, perhaps in its last line.
func idFirst(text string, r *result.ToolResult) string {
	first, below, more := strings.Cut(text, "\n")
	if id := render.Short(r.RawOID); more && r.RawOID != "" && r.Raw != nil && r.Raw.Bytes > 0 && !strings.Contains(first, id) {
		return first + " " + id + "\n" + below
	}
	return text
}

func (s *Server) who(agent, session string) *manifest.By {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := manifest.By{Agent: cmp.Or(agent, s.by.Agent), Session: cmp.Or(session, s.by.Session)}
	if parent := s.environ("CAIRN_PARENT"); parent != "" { // a subagent's id is its session
		by.Session, by.Parent = cmp.Or(s.environ("CAIRN_SESSION"), by.Session), parent
	}
	if by == (manifest.By{}) {
		return nil
	}
	return &by
}

// dir returns the directory of a request. A relative one starts from where the server was started.
func (s *Server) dir(cwd string) (string, error) {
	if cwd == "" {
		return s.o.Dir, nil
	}
	if !filepath.IsAbs(cwd) {
		cwd = filepath.Join(s.o.Dir, cwd)
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return "", bad("cwd %s is not a directory", cwd)
	}
	return cwd, nil
}

// told is the answer about a run. elsewhere, if not empty, is the run's directory as the request names it. If rendering
// fails, the answer still has the facts.
func told(out *capture.Outcome, dir, elsewhere string, notes []string) (r *runResult, err error) {
	if out.Result == nil {
		return nil, fmt.Errorf("the command was not run: %w", out.Trouble)
	}
	r = &runResult{
		Text: cmp.Or(string(out.Raw), out.Result.Body), Status: out.Status, Signal: out.Exit.Signal,
		TimedOut: out.Exit.TimedOut, Cancelled: out.Exit.Cancelled, OID: out.Result.RawOID,
		Bytes: out.Result.Raw.Bytes, Lines: out.Result.Raw.Lines, Recorded: out.Trouble == nil, Notes: notes,
	}
	if out.Trouble != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("NOT FULLY RECORDED: %v", out.Trouble))
	} else {
		r.Run = out.Record.ID
	}
	if broken := guard.Do("making the answer", func() { err = r.render(out, dir, elsewhere) }); broken != nil {
		r.Notes = append(r.Notes, broken.Error())
	}
	return r, err
}

// render adds the texts made of the result to the answer.
func (r *runResult) render(out *capture.Outcome, dir, elsewhere string) (err error) {
	text := render.Compact(out.Result, out.Raw)
	if elsewhere != "" {
		text = render.CompactElsewhere(out.Result, out.Raw, elsewhere)
	}
	r.Text = idFirst(text, out.Result) + out.Hidden + render.SameTree(out.Result)
	r.Details = detailsOf(out, r.Run, dir)
	r.Result, err = out.Result.JSON()
	return err
}

// watcher follows the output of a run as it comes.
type watcher struct {
	mu    sync.Mutex
	p     progress
	since time.Time
	now   func() time.Time
	tail  []byte
	moved bool
}

const (
	// maxTail bounds the end of the output in a progress event.
	maxTail = 2 << 10
	// reportEvery is the least time between events of progress: at most four per second.
	reportEvery = 250 * time.Millisecond
)

func newWatcher(now func() time.Time) *watcher { return &watcher{since: now(), now: now} }

func (w *watcher) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.p.Bytes += int64(len(b))
	w.p.Lines += int64(bytes.Count(b, []byte{'\n'}))
	w.tail = append(w.tail, b[max(0, len(b)-maxTail):]...)
	w.tail = append(w.tail[:0], w.tail[max(0, len(w.tail)-maxTail):]...)
	w.moved = true
	return len(b), nil
}

func (w *watcher) begun(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.p.Run, w.moved = id, true
}

func (w *watcher) state() (p progress, moved bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, moved, w.moved = w.p, w.moved, false
	tail := w.tail
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	p.Tail = result.Clean(strings.ToValidUTF8(string(tail), "\uFFFD"))
	p.ElapsedMS = w.now().Sub(w.since).Milliseconds()
	return p, moved
}

// report sends progress until stop is called, if there was new output.
func (w *watcher) report(event func(string, any)) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if p, moved := w.state(); moved {
				event("progress", p)
			}
		}
	}()
	return func() { close(done); <-ended }
}

// recallParams are a question; CWD says about which project.
type recallParams struct {
	agents.Question
	CWD string `json:"cwd,omitempty"`
}

type recallResult struct {
	Text  string   `json:"text"`
	Notes []string `json:"notes,omitempty"`
}

func (s *Server) recall(ctx context.Context, p recallParams, _ func(string, any)) (any, error) {
	dir, err := s.dir(p.CWD)
	if err != nil {
		return nil, err
	}
	args, err := p.Args()
	if err != nil {
		return nil, bad("recall: %v", err)
	}
	stdout, stderr, status := s.o.Command(ctx, dir, args)
	notes := strings.FieldsFunc(stderr, func(r rune) bool { return r == '\n' })
	switch status {
	case 0:
		return recallResult{stdout, notes}, nil
	case agents.StatusNothing:
		return nil, &wire.Error{Code: wire.NotFound, Message: strings.TrimSpace(stderr)}
	}
	return nil, &wire.Error{Code: wire.Failed, Message: strings.TrimSpace(stderr)}
}
