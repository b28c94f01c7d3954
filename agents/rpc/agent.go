package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"cairn/agents/inherit"
	"cairn/agents/rpc/wire"
	"cairn/agents/subagent"
	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/place"
	"cairn/manifest"
)

// agentParams: op is settings, plan, run or feed. plan reads the definition and returns what run needs; run answers
// when the subagent has ended; feed passes on the events of a session that the caller runs itself.
type agentParams struct {
	Op  string `json:"op"`
	ID  string `json:"id,omitempty"`
	CWD string `json:"cwd,omitempty"`

	Request  *subagent.Request `json:"request,omitempty"` // plan
	ToolCall string            `json:"tool_call,omitempty"`
	Session  string            `json:"session,omitempty"`
	Trusted  bool              `json:"trusted,omitempty"` // the project's definitions are used
	Bundled  string            `json:"bundled,omitempty"` // directory of the package's definitions
	Pi       subagent.Pi       `json:"pi,omitempty"`

	Start startParams `json:"start,omitempty"` // run

	Events []json.RawMessage `json:"events,omitempty"` // feed
	Done   bool              `json:"done,omitempty"`
	Error  string            `json:"error,omitempty"`
}

type startParams struct {
	Probe    subagent.Probe    `json:"probe,omitempty"`
	Known    []string          `json:"known,omitempty"`
	Model    string            `json:"model,omitempty"`    // the parent's model, provider/id
	Thinking string            `json:"thinking,omitempty"` // the parent's level
	Tools    []string          `json:"tools,omitempty"`    // tools that are active in the parent
	Messages []inherit.Message `json:"messages,omitempty"`
}

type agentResult struct {
	ID       string            `json:"id,omitempty"`
	Ref      string            `json:"ref,omitempty"`     // plan: the model to resolve
	Inherit  bool              `json:"inherit,omitempty"` // plan: whether messages are needed
	Expose   bool              `json:"expose,omitempty"`  // settings
	Text     string            `json:"text,omitempty"`    // run
	Failed   bool              `json:"failed,omitempty"`
	Details  *timeline.Details `json:"details,omitempty"`
	OID      string            `json:"oid,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Finished bool              `json:"finished,omitempty"` // feed: the session has ended
}

// agentRun is a subagent from plan to the end of run.
type agentRun struct {
	run   *subagent.Run
	tell  *agentTell
	site  *place.Site
	pi    subagent.Pi
	dir   string
	ticks *time.Ticker
	fed   chan fed
	over  chan struct{}
}

// fed is what one call of feed passes on.
type fed struct {
	events []json.RawMessage
	done   bool
	err    string
}

func (s *Server) agent(ctx context.Context, p agentParams, event func(string, any)) (any, error) {
	switch p.Op {
	case "settings":
		settings, note := subagent.ReadSettings(s.agentDir())
		return agentResult{Expose: settings.Expose, Notes: noted(note)}, nil
	case "plan":
		return s.agentPlan(ctx, p, event)
	}
	s.mu.Lock()
	a := s.agents[p.ID]
	s.mu.Unlock()
	if a == nil {
		return nil, &wire.Error{Code: wire.NotFound, Message: fmt.Sprintf("there is no subagent %q", p.ID)}
	}
	switch p.Op {
	case "run":
		return s.agentRun(ctx, a, p, event)
	case "feed":
		select {
		case a.fed <- fed{p.Events, p.Done, p.Error}:
			return agentResult{}, nil
		case <-a.over:
			return agentResult{Finished: true}, nil
		}
	}
	return nil, bad("agent: op %q is not one of settings, plan, run, feed", p.Op)
}

func noted(note string) []string {
	if note == "" {
		return nil
	}
	return []string{note}
}

// environ is the last value of an environment variable.
func (s *Server) environ(key string) (v string) {
	for _, kv := range s.o.Environ {
		if rest, ok := strings.CutPrefix(kv, key+"="); ok {
			v = rest
		}
	}
	return v
}

// agentDir is the user's directory of pi.
func (s *Server) agentDir() string {
	return cmp.Or(s.environ("PI_CODING_AGENT_DIR"), filepath.Join(s.o.Env.Home, ".pi", "agent"))
}

func (s *Server) agentPlan(ctx context.Context, p agentParams, event func(string, any)) (any, error) {
	if p.Request == nil {
		return nil, bad("agent: plan needs a request")
	}
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	dir, _ := s.dir(p.CWD) // site has checked it
	id, err := manifest.NewID(s.o.Now())
	if err != nil {
		return nil, err
	}
	sources := subagent.Sources{AgentDir: s.agentDir(), Bundled: p.Bundled, NodeRoots: []string{
		filepath.Join(s.agentDir(), "npm", "node_modules"), filepath.Join(filepath.Dir(filepath.Dir(p.Pi.Exec)), "lib", "node_modules")}}
	if p.Trusted {
		sources.Dir = dir
	}
	settings, note := subagent.ReadSettings(s.agentDir())
	a := &agentRun{site: site, pi: p.Pi, dir: dir, ticks: time.NewTicker(reportEvery), fed: make(chan fed), over: make(chan struct{})}
	a.tell = &agentTell{ctx: context.WithoutCancel(ctx), site: site, id: id, event: event}
	a.run = subagent.Plan(*p.Request, subagent.Caller{ID: id, ToolCall: p.ToolCall, Session: p.Session, Parent: s.environ("CAIRN_SUBAGENT")},
		sources, settings, subagent.Surroundings{Tell: a.tell, Now: s.o.Now, Ticks: a.ticks.C})
	s.mu.Lock()
	s.agents[id] = a
	s.mu.Unlock()
	return agentResult{ID: id, Ref: a.run.Reference(), Inherit: a.run.Inherits(), Notes: noted(note)}, nil
}

func (s *Server) agentRun(ctx context.Context, a *agentRun, p agentParams, event func(string, any)) (any, error) {
	defer func() {
		s.mu.Lock()
		delete(s.agents, p.ID)
		s.mu.Unlock()
		close(a.over)
		a.ticks.Stop()
		a.site.Close()
	}()
	a.tell.event = event
	keepOutputs(ctx, a.site, a.run.Told(p.Start.Messages))
	runner := a.pi.AsProcess(a.dir, s.o.Environ)
	if a.run.Runner() == subagent.InProcess {
		runner = a.inProcess(event)
	}
	out := a.run.Do(ctx, &s.queue, subagent.Start{
		Probe: p.Start.Probe, Known: p.Start.Known, Current: subagent.Model{Name: p.Start.Model, Thinking: p.Start.Thinking},
		Tools: p.Start.Tools, Messages: p.Start.Messages,
	}, runner)
	r := agentResult{ID: p.ID, Text: out.Text, Failed: out.Failed, Details: &out.Details}
	oid, err := a.tell.end(a.run.Timeline())
	if r.OID = oid; err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("NOT FULLY RECORDED: %v", err))
	}
	return r, nil
}

// inProcess asks the caller to run the session, and receives its events.
func (a *agentRun) inProcess(event func(string, any)) subagent.Runner {
	return func(ctx context.Context, j subagent.Job, step func([]byte), _ func(string)) error {
		event("session", map[string]any{"prompt": j.Prompt, "tools": j.Tools, "model": j.Model.Name, "thinking": j.Model.Thinking})
		var late <-chan time.Time
		done := ctx.Done()
		for {
			select {
			case <-done: // the caller aborts its session, and sends its end
				done, late = nil, time.After(inProcessGrace)
			case <-late:
				return errors.New("the session did not end when it was aborted")
			case f := <-a.fed:
				for _, e := range f.events {
					step(e)
				}
				switch {
				case f.err != "":
					return errors.New(f.err)
				case f.done:
					return nil
				}
			}
		}
	}
}

// inProcessGrace is how long an aborted session may take to end.
const inProcessGrace = 10 * time.Second

// agentTell passes on the events of a subagent, and stores them.
type agentTell struct {
	ctx   context.Context
	site  *place.Site
	id    string
	event func(string, any)
	file  *kept.Run
	err   error // why storing failed
}

func (t *agentTell) Event(channel string, data any) {
	t.event("emit", map[string]any{"channel": channel, "data": data})
}

func (t *agentTell) Update(d timeline.Details) {
	t.event("update", map[string]any{"text": progressText(d), "details": d})
}

// progressText is shown to a person while a subagent runs.
func progressText(d timeline.Details) string {
	return fmt.Sprintf("%s: %s (%s)", d.DisplayName, cmp.Or(d.Activity, string(d.Status)), d.Spent())
}

func (t *agentTell) Put(text string) (string, error) {
	info, err := keep(t.ctx, t.site, text, "")
	if err != nil {
		return "", err
	}
	return info.OID, nil
}

// Keep writes to the timeline's file. An error is reported at the end.
func (t *agentTell) Keep(tl *timeline.Timeline, steps []int) {
	if t.err != nil {
		return
	}
	if t.file == nil {
		if t.file, t.err = kept.Begin(t.ctx, t.site, t.id); t.err != nil {
			return
		}
	}
	t.err = t.file.Write(tl, steps)
}

// end records the timeline and returns the id of its object.
func (t *agentTell) end(tl *timeline.Timeline) (oid string, err error) {
	if t.file == nil {
		t.file, t.err = kept.Begin(t.ctx, t.site, t.id)
		if t.err != nil {
			return "", t.err
		}
	}
	oid, err = t.file.End(t.ctx, tl)
	return oid, errors.Join(t.err, err)
}
