package timeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// Put stores bytes and returns their object id.
type Put func(text string) (oid string, err error)

// Timeline collects the steps of one subagent.
type Timeline struct {
	put     Put
	details Details
	tokens  Tokens
	all     []Entry
	open    map[string]int // tool call id → index of its entry
	answer  string         // the last text, not cut
	spare   int            // steps beyond maxEntries
	changed map[int]bool   // numbers of the steps changed since the last call of Changed
}

// New begins a timeline at the time ts, in milliseconds. put keeps the outputs of tools.
func New(meta Meta, put Put, ts int64) *Timeline {
	return &Timeline{put: put, details: Details{Meta: meta.bounded(), Status: Running, Began: ts}, open: map[string]int{}, changed: map[int]bool{}}
}

// Keep replaces the function that stores outputs.
func (t *Timeline) Keep(put Put) { t.put = put }

// Set replaces the Meta of the subagent.
func (t *Timeline) Set(meta Meta) { t.details.Meta = meta.bounded() }

// SetStatus notes that the subagent waits for its turn, or that it runs.
func (t *Timeline) SetStatus(s Status) { t.details.Status = s }

// Answer is the last text of the subagent, not cut.
func (t *Timeline) Answer() string { return t.answer }

// Entries are the steps from number from on.
func (t *Timeline) Entries(from int) []Entry { return t.all[min(max(from, 0), len(t.all)):] }

// Changed are the numbers, in order, of the steps that were added or changed since the
// last call of Changed.
func (t *Timeline) Changed() (at []int) {
	for i := range t.all {
		if len(t.changed) == 0 {
			break
		}
		if t.changed[i] {
			at = append(at, i)
			delete(t.changed, i)
		}
	}
	return at
}

// event holds the members of an event that are read.
type event struct {
	Type    string   `json:"type"`
	Message *message `json:"message"`
	Delta   *struct {
		Type  string `json:"type"`
		Delta string `json:"delta"`
	} `json:"assistantMessageEvent"`
	CallID  string          `json:"toolCallId"`
	Tool    string          `json:"toolName"`
	Args    json.RawMessage `json:"args"`
	Result  *toolResult     `json:"result"`
	IsError bool            `json:"isError"`
}

type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	StopReason string          `json:"stopReason"`
	Error      string          `json:"errorMessage"`
	Usage      struct {
		Input  int `json:"input"`
		Output int `json:"output"`
	} `json:"usage"`
}

type toolResult struct {
	Content []block `json:"content"`
}

type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
}

// Add takes one event. It returns an error if an output could not be stored; the step is added all the same.
func (t *Timeline) Add(raw json.RawMessage, ts int64) error {
	var e event
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	t.at(ts)
	switch e.Type {
	case "message_update":
		t.live(e)
	case "message_end":
		t.message(e.Message, ts)
	case "turn_end":
		t.details.Turns++
	case "tool_execution_start":
		t.details.Activity, t.details.Live = "running "+clip(e.Tool, maxName), nil
		if at, ok := t.add(Entry{Kind: "tool", Tool: clip(e.Tool, maxName), Input: input(e.Args), TS: ts}); ok {
			t.open[e.CallID] = at
		}
	case "tool_execution_end":
		return t.ended(e, ts)
	}
	return nil
}

func (t *Timeline) at(ts int64) { t.details.DurationMS = max(t.details.DurationMS, ts-t.details.Began) }

func (t *Timeline) add(e Entry) (at int, ok bool) {
	if len(t.all) == maxEntries {
		t.spare++
		return 0, false
	}
	t.all = append(t.all, e)
	t.changed[len(t.all)-1] = true
	return len(t.all) - 1, true
}

// Note adds a step of the kind error with a text by cairn.
func (t *Timeline) Note(text string, ts int64) {
	t.add(Entry{Kind: "error", Text: clip(text, maxText), TS: ts})
}

func (t *Timeline) live(e event) {
	if e.Delta == nil {
		return
	}
	kind, _, _ := strings.Cut(e.Delta.Type, "_")
	switch kind {
	case "text":
		t.details.Activity = "writing"
	case "thinking":
		t.details.Activity = "thinking"
	default:
		return
	}
	live := &Live{Kind: kind}
	if t.details.Live != nil && t.details.Live.Kind == kind {
		live.Text = t.details.Live.Text
	}
	live.Text = last(live.Text+e.Delta.Delta, maxLive)
	t.details.Live = live
}

// message takes a message that has ended. Its texts are taken here instead of from the stream, so that the steps are
// the same for a provider that does not stream.
func (t *Timeline) message(m *message, ts int64) {
	if m == nil || m.Role != "assistant" {
		return
	}
	t.details.Live = nil
	t.tokens.Input += m.Usage.Input
	t.tokens.Output += m.Usage.Output
	t.tokens.Total = t.tokens.Input + t.tokens.Output
	for _, b := range blocks(m.Content) {
		switch {
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
			t.answer, t.details.Result = b.Text, clip(b.Text, maxText)
			t.add(Entry{Kind: "text", Text: clip(b.Text, maxText), TS: ts})
		case b.Type == "thinking" && strings.TrimSpace(b.Thinking) != "":
			t.add(Entry{Kind: "thinking", Text: clip(b.Thinking, maxText), TS: ts})
		}
	}
	if m.StopReason == "error" || m.StopReason == "aborted" {
		t.details.Error = clip(m.Error, maxText)
		t.details.Error = cmp.Or(t.details.Error, m.StopReason)
		t.Note(t.details.Error, ts)
	} else {
		t.details.Error = "" // an earlier attempt failed, and was repeated
	}
}

// blocks reads content, which may also be a plain string.
func blocks(raw json.RawMessage) (all []block) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

func (t *Timeline) ended(e event, ts int64) (err error) {
	t.details.ToolUses++
	at, ok := t.open[e.CallID]
	if !ok {
		return nil
	}
	delete(t.open, e.CallID)
	var b strings.Builder
	if e.Result != nil {
		for _, part := range e.Result.Content {
			b.WriteString(part.Text)
		}
	}
	out := &Output{Preview: clip(b.String(), maxPreview), Bytes: b.Len()}
	if b.Len() > 0 && t.put != nil {
		if out.OID, err = t.put(b.String()); err != nil {
			err = fmt.Errorf("keeping the output of %s: %w", e.Tool, err)
		}
	}
	entry := &t.all[at]
	entry.Output, entry.IsError, entry.TookMS = out, e.IsError, max(0, ts-entry.TS)
	t.changed[at] = true
	return err
}

// End notes how the subagent ended. If its last answer was an error, the status becomes
// Failed even where status is Completed.
func (t *Timeline) End(status Status, reason string, ts int64) {
	t.at(ts)
	t.details.Activity, t.details.Live = "", nil
	if reason != "" {
		t.details.Error = clip(reason, maxText)
	}
	if status == Completed && t.details.Error != "" {
		status = Failed
	}
	t.details.Status = status
}

// Document is a whole timeline as JSON lines: the head first, then one line for each step.
func Document(head Details, steps []Entry) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	if err := enc.Encode(head); err != nil {
		return "", err
	}
	for _, e := range steps {
		if err := enc.Encode(e); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
