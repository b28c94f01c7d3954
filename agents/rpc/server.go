package rpc

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/agents"
	"cairn/agents/rpc/wire"
	"cairn/agents/subagent"
	"cairn/capture"
	"cairn/internal/guard"
	"cairn/internal/place"
	"cairn/manifest"
)

// Options are the settings of a server.
type Options struct {
	Program string // version of cairn
	Dir     string
	Env     place.Env
	Environ []string
	Now     func() time.Time
	Shell   func(line string) []string // the command that runs a line
	Command agents.Command             // runs "cairn recall …"
	Later   capture.Later              // brings records into the branch after a run; nil: at once
}

// Server is one connection.
type Server struct {
	o       Options
	methods map[string]method

	write sync.Mutex
	out   io.Writer
	gone  error // the error of a failed write

	mu        sync.Mutex
	running   map[string]context.CancelCauseFunc
	by        manifest.By
	session   bool // the caller said hello: the end of its input is its own end
	timelines map[string]*openTimeline
	agents    map[string]*agentRun
	queue     subagent.Queue
	work      sync.WaitGroup // requests, and captures that are recorded after their answer
}

// method does the work of one request; event sends an event about it.
type method func(ctx context.Context, params json.RawMessage, event func(name string, data any)) (any, error)

// Serve answers requests until the input ends.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	s := &Server{o: o, out: out, running: map[string]context.CancelCauseFunc{}, timelines: map[string]*openTimeline{}, agents: map[string]*agentRun{}}
	if by := agents.By(o.Environ, "", ""); by != nil {
		s.by = *by
	}
	s.methods = map[string]method{
		"hello": taking(s.hello), "run": taking(s.run), "recall": taking(s.recall), "put": taking(s.put),
		"prune": taking(s.prune), "inherit": taking(s.inherit), "timeline": taking(s.timeline), "report": taking(s.report), "agent": taking(s.agent),
	}
	ctx, cancel := context.WithCancelCause(ctx)
	err := s.read(ctx, in)
	if !s.inSession() {
		s.work.Wait() // requests that came through a pipe, as from echo, are answered completely
	}
	cancel(&wire.Error{Code: wire.Cancelled, Message: "the input ended"})
	s.work.Wait()
	return errors.Join(err, s.gone)
}

func (s *Server) inSession() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

func (s *Server) read(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), wire.MaxLine)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			s.line(ctx, bytes.Clone(line))
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading requests: %w", err)
	}
	return nil
}

// line starts one request.
func (s *Server) line(ctx context.Context, line []byte) {
	var r wire.Request
	if err := strict(line, &r); err != nil {
		s.send(wire.Message{ID: r.ID, Error: &wire.Error{Code: wire.BadRequest, Message: fmt.Sprintf("the line is no request: %v", err)}})
		return
	}
	if r.Method == "cancel" {
		s.cancel(r.Params)
		return
	}
	do, ok := s.methods[r.Method]
	switch {
	case !ok:
		s.send(wire.Message{ID: r.ID, Error: &wire.Error{Code: wire.BadRequest, Message: fmt.Sprintf("there is no method %q; there are %v", r.Method, s.names())}})
		return
	case r.ID == "" || r.DeadlineMS < 0:
		s.send(wire.Message{ID: r.ID, Error: &wire.Error{Code: wire.BadRequest, Message: "a request needs an id, and a deadline in the future"}})
		return
	}
	if r.Method != "run" && r.Method != "agent" { // a question is answered even if the caller's input has ended
		ctx = context.WithoutCancel(ctx)
	}
	ctx, done, err := s.begin(ctx, r)
	if err != nil {
		s.send(wire.Message{ID: r.ID, Error: asError(err)})
		return
	}
	if r.Method == "hello" { // later requests depend on it
		s.answer(ctx, r, do, done)
		return
	}
	s.work.Go(func() { s.answer(ctx, r, do, done) })
}

// begin creates the context of a request and registers it as running.
func (s *Server) begin(ctx context.Context, r wire.Request) (context.Context, func(), error) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := func() {}
	if r.DeadlineMS > 0 {
		late := time.AfterFunc(time.Duration(r.DeadlineMS)*time.Millisecond, func() {
			cancel(&wire.Error{Code: wire.Deadline, Message: fmt.Sprintf("%s took longer than %d ms", r.Method, r.DeadlineMS)})
		})
		stop = func() { late.Stop() }
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[r.ID] != nil {
		stop()
		cancel(nil)
		return nil, nil, bad("a request with id %q is running already", r.ID)
	}
	s.running[r.ID] = cancel
	return ctx, func() {
		stop()
		cancel(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, r.ID)
	}, nil
}

// answer runs a method and sends its result. A panic becomes the error of this request.
func (s *Server) answer(ctx context.Context, r wire.Request, do method, done func()) {
	m := wire.Message{ID: r.ID}
	broken := guard.Do("answering "+r.Method, func() {
		result, err := do(ctx, r.Params, func(name string, data any) {
			if raw, err := json.Marshal(data); err == nil {
				s.send(wire.Message{ID: r.ID, Event: name, Data: raw})
			}
		})
		if err == nil {
			m.Result, err = json.Marshal(result)
		}
		if err != nil {
			if cause := context.Cause(ctx); cause != nil && errors.As(cause, new(*wire.Error)) {
				err = cause
			}
			m.Error = asError(err)
		}
	})
	if broken != nil {
		m.Error = &wire.Error{Code: wire.Failed, Message: broken.Error()}
	}
	done()
	s.send(m)
}

func (s *Server) cancel(params json.RawMessage) {
	var p struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[p.ID]; cancel != nil {
		cancel(&wire.Error{Code: wire.Cancelled, Message: "cancelled by the caller"})
	}
}

func (s *Server) send(m wire.Message) {
	line, err := json.Marshal(m)
	if err != nil {
		line, _ = json.Marshal(wire.Message{ID: m.ID, Error: &wire.Error{Code: wire.Failed, Message: err.Error()}})
	}
	s.write.Lock()
	defer s.write.Unlock()
	if s.gone == nil {
		_, s.gone = s.out.Write(append(line, '\n'))
	}
}

func (s *Server) names() []string { return slices.Sorted(maps.Keys(s.methods)) }

// taking makes a method of a function whose parameters are a P.
func taking[P any](do func(ctx context.Context, p P, event func(string, any)) (any, error)) method {
	return func(ctx context.Context, raw json.RawMessage, event func(string, any)) (any, error) {
		var p P
		if err := strict(raw, &p); err != nil {
			return nil, err
		}
		return do(ctx, p, event)
	}
}

func strict(raw json.RawMessage, to any) error {
	if err := wire.Decode(raw, to); err != nil {
		return bad("%v", err)
	}
	return nil
}

func bad(format string, args ...any) error {
	return &wire.Error{Code: wire.BadRequest, Message: fmt.Sprintf(format, args...)}
}

// asError gives every error a code.
func asError(err error) *wire.Error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e
	}
	return &wire.Error{Code: wire.Failed, Message: err.Error()}
}

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema of the protocol. The parameters of "recall" come from agents.QuestionProperties.
func Schema() []byte {
	const mark = `"op": {"$comment": "agents.Question"}`
	return bytes.Replace(schema, []byte(mark), []byte(strings.Join(agents.QuestionProperties(), ",\n        ")), 1)
}
