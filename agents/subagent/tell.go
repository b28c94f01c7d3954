package subagent

import (
	"cmp"
	"slices"

	"cairn/agents/timeline"
)

// Tell is how a run reports to its caller. Its methods are never called at the same time.
type Tell interface {
	// Event sends an event to the host's event bus.
	Event(channel string, data any)
	// Update reports to the caller how far the subagent is.
	Update(d timeline.Details)
	// Keep stores the timeline. steps are the numbers of the steps that were added or changed.
	Keep(t *timeline.Timeline, steps []int)
	// Put stores an output, and returns the id of its object.
	Put(text string) (oid string, err error)
}

type begun struct {
	ID          string           `json:"id"`
	Type        string           `json:"type,omitempty"`
	Description string           `json:"description,omitempty"`
	Details     timeline.Details `json:"details"`
}

type entry struct {
	V        int            `json:"v"`
	AgentID  string         `json:"agentId"`
	ToolCall string         `json:"toolCallId"` // the parent's call of the tool Agent
	Index    int            `json:"index"`
	Entry    timeline.Entry `json:"entry"`
}

type ended struct {
	ID         string           `json:"id"`
	Result     *string          `json:"result,omitempty"`
	Error      string           `json:"error,omitempty"`
	DurationMS int64            `json:"durationMs"`
	Tokens     timeline.Tokens  `json:"tokens"`
	ToolUses   int              `json:"toolUses"`
	Details    timeline.Details `json:"details"`
}

// event adds one event of the subagent to its timeline, and reports steps that are final.
func (r *Run) event(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.o.Now().UnixMilli()
	if err := r.tl.Add(line, now); err != nil {
		r.tl.Note(err.Error(), now)
	}
	r.dirty = true
	r.entries(false)
}

func (r *Run) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tl.Note(text, r.o.Now().UnixMilli())
	r.entries(false)
}

// entries reports the steps that are final: texts at once, a tool when it has answered, and all at the end.
func (r *Run) entries(all bool) {
	steps := r.tl.Entries(0)
	for _, n := range r.tl.Changed() {
		r.fresh, r.dirty = append(r.fresh, n), true
		if e := steps[n]; e.Kind != "tool" || e.Output != nil {
			r.tell(e)
		}
	}
	if !all {
		return
	}
	for _, e := range steps {
		if e.Kind == "tool" && e.Output == nil {
			r.tell(e)
		}
	}
}

func (r *Run) tell(e timeline.Entry) {
	r.o.Tell.Event("subagents:entry", entry{1, r.caller.ID, r.caller.ToolCall, r.steps, e})
	r.steps++
}

func (r *Run) started(m Model) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meta.Model, r.meta.Thinking = m.Name, m.Thinking
	if m.Thinking != "" {
		r.meta.Tags = []string{"thinking: " + m.Thinking}
	}
	r.tl.Set(r.meta)
	r.tl.SetStatus(timeline.Running)
	d := r.tl.Frame()
	r.o.Tell.Event("subagents:started", begun{r.caller.ID, d.Type, d.Description, d})
	r.keep()
}

// progress reports new events at each tick, until stop is called.
func (r *Run) progress() (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			case <-r.o.Ticks:
			}
			r.mu.Lock()
			r.flush()
			r.mu.Unlock()
		}
	}()
	return func() { close(done); <-over }
}

// flush reports what has not been reported yet. The caller holds the lock.
func (r *Run) flush() {
	if !r.dirty {
		return
	}
	r.dirty = false
	r.o.Tell.Event("subagents:started", begun{ID: r.caller.ID, Details: r.tl.Head()})
	r.o.Tell.Update(r.tl.Frame())
	r.keep()
}

func (r *Run) keep() {
	slices.Sort(r.fresh)
	r.o.Tell.Keep(r.tl, slices.Compact(r.fresh))
	r.fresh = nil
}

// end reports the last progress, then how the subagent ended.
func (r *Run) end(status timeline.Status, reason string) Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries(true)
	r.flush()
	r.tl.End(status, reason, r.o.Now().UnixMilli())
	d := r.tl.Frame()
	e := ended{ID: r.caller.ID, DurationMS: d.DurationMS, ToolUses: d.ToolUses, Details: d}
	if d.Tokens != nil {
		e.Tokens = *d.Tokens
	}
	channel := "subagents:completed"
	if d.Status == timeline.Completed {
		result := cmp.Or(d.Result, "(no output)")
		e.Result = &result
	} else {
		channel, e.Error = "subagents:failed", d.Error
	}
	r.o.Tell.Event(channel, e)
	return Outcome{r.answer(d), d.Status != timeline.Completed, d}
}

// Timeline is the complete timeline, once Do has returned.
func (r *Run) Timeline() *timeline.Timeline { return r.tl }
