package timeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Status says whether a subagent waits or runs, or how it ended.
type Status string

// The statuses. A subagent is Stopped if its process is gone without reporting an end.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Completed Status = "completed"
	Aborted   Status = "aborted"
	Stopped   Status = "stopped"
	Failed    Status = "error"
)

// Over says that the subagent has ended.
func (s Status) Over() bool { return s != Queued && s != Running }

// Output is a tool's output: its beginning, and the object that has all of it.
type Output struct {
	Preview string `json:"preview"`
	OID     string `json:"oid,omitempty"`
	Bytes   int    `json:"bytes"`
}

// Entry is one step of a timeline.
type Entry struct {
	Kind    string          `json:"kind"` // tool, text, thinking, error
	Tool    string          `json:"toolName,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"` // as given; if long, a string with its beginning
	Output  *Output         `json:"output,omitempty"`
	IsError bool            `json:"isError,omitempty"`
	Text    string          `json:"text,omitempty"`
	TS      int64           `json:"ts"`                   // milliseconds
	TookMS  int64           `json:"durationMs,omitempty"` // of a tool call
}

// Tokens counts the tokens of all answers so far.
type Tokens struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Total  int `json:"total"`
}

// Text is the total as people read it: 950, 12.3k, 1.5M.
func (t Tokens) Text() string {
	switch n := float64(t.Total); {
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", n/1000)
	}
	return fmt.Sprint(t.Total)
}

// Meta is what is known about a subagent before it starts.
type Meta struct {
	AgentID     string   `json:"agentId"`
	Parent      string   `json:"parentAgentId,omitempty"` // the subagent that started it; "" for the session itself
	Session     string   `json:"session,omitempty"`       // the parent's session
	DisplayName string   `json:"displayName"`
	Description string   `json:"description"`
	Type        string   `json:"subagentType"`
	Model       string   `json:"modelName,omitempty"`
	Thinking    string   `json:"thinkingLevel,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	MDPath      string   `json:"agentMdPath,omitempty"`
	MDSource    string   `json:"agentMdSource,omitempty"`
	MDPackage   string   `json:"agentMdPkg,omitempty"`
}

func (m Meta) bounded() Meta {
	for _, s := range []*string{&m.AgentID, &m.Parent, &m.Session, &m.DisplayName, &m.Description, &m.Type, &m.Model, &m.Thinking, &m.MDPath, &m.MDSource, &m.MDPackage} {
		*s = clip(*s, maxName)
	}
	if len(m.Tags) > maxTags {
		m.Tags = m.Tags[:maxTags]
	}
	for i, tag := range m.Tags {
		m.Tags[i] = clip(tag, maxName/maxTags)
	}
	return m
}

// Live is the end of the text or thought that the model is writing.
type Live struct {
	Kind string `json:"kind"` // text, thinking
	Text string `json:"text"`
}

// Details is a timeline in the form that dashboards show, AgentDetails.
type Details struct {
	Meta
	Status     Status  `json:"status"`
	Activity   string  `json:"activity,omitempty"`
	Live       *Live   `json:"liveTail,omitempty"`
	Entries    []Entry `json:"entries,omitempty"`
	First      int     `json:"firstEntry,omitempty"` // number of the first step in Entries
	EntryCount int     `json:"entryCount"`
	ToolUses   int     `json:"toolUses"` // tool calls that have ended
	TokensText string  `json:"tokens"`
	Tokens     *Tokens `json:"tokensUsage,omitempty"`
	Turns      int     `json:"turnCount"`
	Began      int64   `json:"startedAt"` // milliseconds
	DurationMS int64   `json:"durationMs"`
	Result     string  `json:"result,omitempty"` // the beginning of the last answer
	Error      string  `json:"error,omitempty"`
}

// Spent is the effort so far in words: "1 step, 3.2k tokens".
func (d Details) Spent() string {
	steps := "steps"
	if d.EntryCount == 1 {
		steps = "step"
	}
	return fmt.Sprintf("%d %s, %s tokens", d.EntryCount, steps, d.TokensText)
}

// Bounds, in bytes of JSON except maxEntries and maxTags.
const (
	// MaxFrame bounds a frame. Dashboards cut events at 20 KB; the difference is for the event around the frame.
	MaxFrame = 16 << 10

	maxEntries = 5000
	maxPreview = 1 << 10 // of an output's preview
	maxText    = 2 << 10 // of a text, a thought or an input
	maxLive    = 280     // of the text in Live
	maxName    = 300     // of each text in Meta
	maxTags    = 5
)

// Head is the timeline without its steps.
func (t *Timeline) Head() Details {
	d := t.details
	d.EntryCount, d.Entries = len(t.all)+t.spare, nil
	d.TokensText = t.tokens.Text()
	if t.tokens != (Tokens{}) {
		tokens := t.tokens
		d.Tokens = &tokens
	}
	return d
}

// Frame is the timeline as it is now, with the newest steps that fit into MaxFrame bytes.
func (t *Timeline) Frame() Details {
	d := t.Head()
	size := encoded(d) + len(`,"entries":[],"firstEntry":5000`)
	at := len(t.all)
	for at > 0 {
		if size += encoded(t.all[at-1]) + 1; size > MaxFrame {
			break
		}
		at--
	}
	d.First, d.Entries = at, append([]Entry{}, t.all[at:]...)
	return d
}

func encoded(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return MaxFrame
	}
	return len(b)
}

// cost is how many bytes a character takes in JSON as encoding/json writes it.
func cost(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\r', r == '\t':
		return 2
	case r < ' ', r == '<', r == '>', r == '&', r == '\u2028', r == '\u2029':
		return len(`\u0000`)
	}
	return utf8.RuneLen(r)
}

// clip cuts s so that it takes at most n bytes of JSON. The beginning is kept, in whole
// characters, and "…" stands for the rest.
func clip(s string, n int) string {
	s = s[:min(len(s), n+utf8.UTFMax)] // no character takes fewer bytes in JSON than in s
	s = strings.ToValidUTF8(s, "\uFFFD")
	size, fits := 0, 0 // fits: where the text is cut if it is too long
	for i, r := range s {
		if size <= n-len("…") {
			fits = i
		}
		if size += cost(r); size > n {
			return s[:fits] + "…"
		}
	}
	return s
}

// last is the longest end of s that takes at most n bytes of JSON, in whole characters.
func last(s string, n int) string {
	s = s[max(0, len(s)-n-utf8.UTFMax):]
	s = strings.ToValidUTF8(s, "\uFFFD")
	for i := len(s); i > 0; {
		r, width := utf8.DecodeLastRuneInString(s[:i])
		if n -= cost(r); n < 0 {
			return s[i:]
		}
		i -= width
	}
	return s
}

// input is the argument of a tool call as a step keeps it: a short one as it is, and of a
// long one the beginning, as a JSON string.
func input(args json.RawMessage) json.RawMessage {
	if len(args) == 0 {
		return nil
	}
	if len(args) <= 2*maxText { // spaces may be in it
		if short, err := json.Marshal(args); err == nil && len(short) <= maxText {
			return short
		}
	}
	text, err := json.Marshal(clip(string(args), maxText))
	if err != nil {
		return nil
	}
	return text
}
