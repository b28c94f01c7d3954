// Package timeline turns what a subagent does, event by event, into a timeline
// of steps that is bounded in every direction.
//
// # What it promises
//
//   - A step is text, a thought, an error, or a tool call with its output. Of an output stands a
//     preview; the bytes are kept as an object, whose id and size stand beside
//     it.
//   - No frame (Frame) is larger than MaxFrame bytes of JSON: the newest steps that fit
//     are in it, and EntryCount says how many there are.
//   - Memory: a timeline holds at most maxEntries steps of at most some 3 KB; what is beyond
//     is counted.
//   - No clock: times are those of the events.
//
// Events are those of "pi --mode json". What is not known is passed over: a
// newer pi must not break a run.
package timeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxFrame is below the 20 KB at which dashboards cut events.
	MaxFrame = 18 << 10

	maxEntries = 5000
	maxPreview = 1 << 10 // bytes of an output
	maxText    = 2 << 10 // bytes of a text, a thought or an input
	maxLive    = 280     // characters of what is being written
)

// Put keeps bytes and gives their object id.
type Put func(text string) (oid string, err error)

// Output is what a tool answered.
type Output struct {
	Preview string `json:"preview"`
	OID     string `json:"oid,omitempty"`
	Bytes   int    `json:"bytes"`
}

// Entry is one step.
type Entry struct {
	Kind    string  `json:"kind"` // tool, text, thinking, error
	Tool    string  `json:"toolName,omitempty"`
	Input   string  `json:"input,omitempty"` // JSON, cut
	Output  *Output `json:"output,omitempty"`
	IsError bool    `json:"isError,omitempty"`
	Text    string  `json:"text,omitempty"`
	TS      int64   `json:"ts"` // milliseconds
}

// Tokens are those of all answers so far.
type Tokens struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Total  int `json:"total"`
}

// Meta is what is known of a subagent at its start.
type Meta struct {
	AgentID     string `json:"agentId"`
	Parent      string `json:"parent,omitempty"` // agent id of who started it; "" for the session itself
	Type        string `json:"subagentType,omitempty"`
	Description string `json:"description,omitempty"`
	Model       string `json:"modelName,omitempty"`
}

// Frame is a timeline as it is shown.
type Frame struct {
	Meta
	Status     string  `json:"status"` // running, completed, aborted, error
	Activity   string  `json:"activity,omitempty"`
	Live       string  `json:"liveTail,omitempty"`
	Entries    []Entry `json:"entries"`
	First      int     `json:"firstEntry"` // number of the first of Entries
	EntryCount int     `json:"entryCount"`
	ToolUses   int     `json:"toolUses"`
	Turns      int     `json:"turnCount"`
	Tokens     Tokens  `json:"tokensUsage"`
	DurationMS int64   `json:"durationMs"`
	Result     string  `json:"result,omitempty"`
	Error      string  `json:"error,omitempty"`
}

// Timeline is one subagent's.
type Timeline struct {
	put   Put
	frame Frame
	all   []Entry
	open  map[string]int // tool call id → its entry
	began int64
	spare int // steps beyond maxEntries
}

// New begins a timeline at a time.
func New(meta Meta, put Put, ts int64) *Timeline {
	return &Timeline{put: put, frame: Frame{Meta: meta, Status: "running"}, open: map[string]int{}, began: ts}
}

// event is what is read of an event.
type event struct {
	Type      string   `json:"type"`
	Timestamp any      `json:"timestamp"`
	Message   *message `json:"message"`
	Delta     *struct {
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

// Add takes one event. An error is that of keeping an output; the step stands
// all the same.
func (t *Timeline) Add(raw json.RawMessage, ts int64) error {
	var e event
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	t.frame.DurationMS = max(t.frame.DurationMS, ts-t.began)
	switch e.Type {
	case "message_update":
		t.live(e)
	case "message_end":
		t.message(e.Message, ts)
	case "turn_end":
		t.frame.Turns++
	case "tool_execution_start":
		t.frame.Activity, t.frame.Live = "running "+clip(e.Tool, maxLive), ""
		t.frame.ToolUses++
		if at, ok := t.add(Entry{Kind: "tool", Tool: clip(e.Tool, maxLive), Input: clip(string(e.Args), maxText), TS: ts}); ok {
			t.open[e.CallID] = at
		}
	case "tool_execution_end":
		return t.ended(e)
	}
	return nil
}

func (t *Timeline) add(e Entry) (at int, ok bool) {
	if len(t.all) == maxEntries {
		t.spare++
		return 0, false
	}
	t.all = append(t.all, e)
	return len(t.all) - 1, true
}

func (t *Timeline) live(e event) {
	if e.Delta == nil {
		return
	}
	kind, _, _ := strings.Cut(e.Delta.Type, "_")
	switch kind {
	case "text":
		t.frame.Activity = "writing"
	case "thinking":
		t.frame.Activity = "thinking"
	default:
		return
	}
	t.frame.Live = last(t.frame.Live+e.Delta.Delta, maxLive)
}

// message takes a message that has ended. Its texts are taken here, and not as
// they are streamed, so that a provider that does not stream has the same steps.
func (t *Timeline) message(m *message, ts int64) {
	if m == nil || m.Role != "assistant" {
		return
	}
	t.frame.Live = ""
	t.frame.Tokens.Input += m.Usage.Input
	t.frame.Tokens.Output += m.Usage.Output
	t.frame.Tokens.Total = t.frame.Tokens.Input + t.frame.Tokens.Output
	for _, b := range blocks(m.Content) {
		switch {
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
			t.frame.Result = clip(b.Text, maxText)
			t.add(Entry{Kind: "text", Text: clip(b.Text, maxText), TS: ts})
		case b.Type == "thinking" && strings.TrimSpace(b.Thinking) != "":
			t.add(Entry{Kind: "thinking", Text: clip(b.Thinking, maxText), TS: ts})
		}
	}
	if m.StopReason == "error" || m.StopReason == "aborted" {
		t.frame.Error = clip(m.Error, maxText)
		if t.frame.Error == "" {
			t.frame.Error = m.StopReason
		}
		t.add(Entry{Kind: "error", Text: t.frame.Error, TS: ts})
	} else {
		t.frame.Error = "" // an earlier attempt failed, and was tried again
	}
}

// blocks reads a content that may be a plain string.
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

func (t *Timeline) ended(e event) (err error) {
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
	t.all[at].Output, t.all[at].IsError = out, e.IsError
	return err
}

// End says how it ended: completed, aborted or error. A run whose last answer
// was an error has not completed, whatever its process exited with.
func (t *Timeline) End(status, reason string, ts int64) {
	t.frame.DurationMS = max(t.frame.DurationMS, ts-t.began)
	t.frame.Activity, t.frame.Live = "", ""
	if reason != "" {
		t.frame.Error = clip(reason, maxText)
	}
	if status == "completed" && t.frame.Error != "" {
		status = "error"
	}
	t.frame.Status = status
}

// Frame is the timeline as it is now, within MaxFrame bytes.
func (t *Timeline) Frame() Frame {
	f := t.frame
	f.EntryCount = len(t.all) + t.spare
	size := encoded(f)
	at := len(t.all)
	for at > 0 {
		if size += encoded(t.all[at-1]) + 1; size > MaxFrame {
			break
		}
		at--
	}
	f.First, f.Entries = at, append([]Entry{}, t.all[at:]...)
	return f
}

// Entries are all steps from a number on.
func (t *Timeline) Entries(from int) []Entry {
	return t.all[min(max(from, 0), len(t.all)):]
}

func encoded(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return MaxFrame
	}
	return len(b) + len(`"firstEntry":5000,`)
}

// clip keeps at most n bytes of the beginning, whole characters.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// last keeps at most n characters of the end.
func last(s string, n int) string {
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	return string(runes[max(0, len(runes)-n):])
}

// Keep says where outputs go from now on.
func (t *Timeline) Keep(put Put) { t.put = put }

// Document is the whole timeline as JSON lines: the frame without its steps,
// then a step a line.
func (t *Timeline) Document() (string, error) {
	head := t.frame
	head.EntryCount, head.Entries = len(t.all)+t.spare, []Entry{}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	if err := enc.Encode(head); err != nil {
		return "", err
	}
	for _, e := range t.all {
		if err := enc.Encode(e); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
