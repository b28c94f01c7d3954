package subagent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"cairn/agents/inherit"
	"cairn/agents/timeline"
)

// Request is the call of Agent by a model.
type Request struct {
	Type        string `json:"subagent_type"`
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Model       string `json:"model,omitempty"`
	Isolated    *bool  `json:"isolated,omitempty"` // used only if the settings expose it
}

// Caller is the agent that calls.
type Caller struct {
	ID       string // the id of the run, given by the keeper of its timeline
	ToolCall string
	Session  string
	Parent   string // the calling subagent; "" for the session itself
}

// Surroundings are what a run needs from its caller.
type Surroundings struct {
	Tell  Tell
	Now   func() time.Time
	Ticks <-chan time.Time // progress is reported at most once for each
}

// Run is one subagent, from the call to its answer.
type Run struct {
	request  Request
	caller   Caller
	settings Settings
	def      Definition
	bad      error // why it cannot run; nil if it can
	o        Surroundings

	mu    sync.Mutex
	tl    *timeline.Timeline
	meta  timeline.Meta
	dirty bool  // an event came since progress was last reported
	steps int   // how many steps were reported with Event
	fresh []int // numbers of the steps that have not been passed to Keep
}

// Plan reads the definition and reports that the run was created.
func Plan(r Request, c Caller, p Sources, s Settings, o Surroundings) *Run {
	run := &Run{request: r, caller: c, settings: s, o: o}
	run.def, run.bad = p.Find(r.Type)
	d := &run.def
	run.meta = timeline.Meta{
		AgentID: c.ID, Parent: c.Parent, Session: c.Session, Type: r.Type, Description: r.Description,
		DisplayName: cmp.Or(d.Description, r.Type, "subagent"), MDPath: d.Path, MDSource: d.Source, MDPackage: d.Package,
	}
	run.tl = timeline.New(run.meta, o.Tell.Put, o.Now().UnixMilli())
	run.tl.SetStatus(timeline.Queued)
	head := run.tl.Head()
	o.Tell.Event("subagents:created", begun{c.ID, head.Type, head.Description, head})
	return run
}

// Reference is the model that was asked for, "" for the parent's model.
func (r *Run) Reference() string { return cmp.Or(r.request.Model, r.def.Model) }

// Inherits says whether the subagent gets its parent's conversation.
func (r *Run) Inherits() bool {
	switch {
	case r.settings.Expose && r.request.Isolated != nil:
		return !*r.request.Isolated
	case r.def.Inherit != nil:
		return *r.def.Inherit
	}
	return r.settings.Inherit
}

// Told are the messages of the parent's conversation that the subagent gets.
func (r *Run) Told(messages []inherit.Message) []inherit.Message {
	if !r.Inherits() {
		return nil
	}
	return inherit.Recent(messages, r.settings.Inheritance)
}

// Runner is how the user's settings want subagents to be run: "process" or "in-process".
func (r *Run) Runner() string { return r.settings.Runner }

// Start is what is known of the parent when the run begins.
type Start struct {
	Probe    Probe
	Known    []string // models, "provider/id"
	Current  Model    // the parent's
	Tools    []string // tools that are active in the parent
	Messages []inherit.Message
}

// Job is what a runner runs.
type Job struct {
	ID, Session string
	Prompt      string
	Tools       []string
	Model       Model
}

// Runner runs a subagent until it ends, and passes on its events. It returns an error if the subagent could not be
// started, or if its process did not exit with 0.
type Runner func(ctx context.Context, j Job, event func(line []byte), note func(text string)) error

// Outcome is what the calling agent gets.
type Outcome struct {
	Text    string           `json:"text"`
	Failed  bool             `json:"failed"`
	Details timeline.Details `json:"details"`
}

// Do waits for a turn, runs the subagent and reports how it ended.
func (r *Run) Do(ctx context.Context, q *Queue, s Start, run Runner) Outcome {
	err := r.do(ctx, q, s, run)
	status, reason := timeline.Completed, ""
	switch {
	case ctx.Err() != nil:
		status, reason = timeline.Aborted, "Subagent aborted by parent."
	case err != nil:
		status, reason = timeline.Failed, err.Error()
	}
	return r.end(status, reason)
}

func (r *Run) do(ctx context.Context, q *Queue, s Start, run Runner) error {
	if r.bad != nil {
		return r.bad
	}
	if r.request.Prompt == "" {
		return errors.New("the prompt is empty")
	}
	model, err := r.model(s)
	if err != nil {
		return err
	}
	release, err := q.Wait(ctx, r.settings.MaxConcurrent)
	if err != nil {
		return err
	}
	defer release()
	r.started(model)
	defer r.progress()()
	return run(ctx, Job{r.caller.ID, r.caller.Session, r.prompt(s.Messages), r.tools(s.Tools), model}, r.event, r.note)
}

func (r *Run) model(s Start) (Model, error) {
	m := s.Current
	if ref := r.Reference(); ref != "" {
		where := "argument of the call"
		if r.request.Model == "" {
			where = r.def.Path
		}
		found, err := findModel(ref, where, s.Probe, s.Known)
		if err != nil {
			return m, err
		}
		m.Name, m.Thinking = found.Name, cmp.Or(found.Thinking, r.def.Thinking, m.Thinking)
		return m, nil
	}
	m.Thinking = cmp.Or(r.def.Thinking, m.Thinking)
	return m, nil
}

// agentTool is the tool that subagents never get.
const agentTool = "Agent"

func (r *Run) tools(active []string) []string {
	return slices.DeleteFunc(slices.Clone(active), func(name string) bool {
		return name == agentTool || r.def.Tools != nil && !slices.Contains(r.def.Tools, name)
	})
}

func (r *Run) prompt(messages []inherit.Message) string {
	var text string
	if r.Inherits() {
		if block := inherit.Block(messages, r.settings.Inheritance); block != "" {
			text += block + "\n\n"
		}
	}
	if r.def.Prompt != "" {
		text += "<agent-prompt>\n" + r.def.Prompt + "\n</agent-prompt>\n\n"
	}
	return text + "<task>\n" + r.request.Prompt + "\n</task>"
}

// maxAnswer bounds the answer in the parent's context, in bytes.
const maxAnswer = 50_000

// answer is the text for the parent.
func (r *Run) answer(d timeline.Details) string {
	said := r.tl.Answer()
	if len(said) > maxAnswer {
		at := maxAnswer
		for !utf8.RuneStart(said[at]) {
			at--
		}
		rest := fmt.Sprintf("\n[%d more bytes", len(said)-at)
		if oid, err := r.o.Tell.Put(said); err == nil {
			rest += "; all of it is " + oid
		}
		said = said[:at] + rest + "]"
	}
	steps := fmt.Sprintf("\n\n[timeline %s: %s]", d.AgentID, d.Spent())
	switch {
	case d.Status == timeline.Completed && said == "":
		return "(no output)" + steps
	case d.Status == timeline.Completed:
		return said + steps
	case said == "":
		return fmt.Sprintf("The subagent %s did not complete (%s): %s%s", d.DisplayName, d.Status, d.Error, steps)
	}
	return fmt.Sprintf("The subagent %s did not complete (%s): %s\nUntil then it had said:\n%s%s", d.DisplayName, d.Status, d.Error, said, steps)
}
