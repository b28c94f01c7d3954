package timeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func add(t *testing.T, tl *Timeline, ts int64, v any) error {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return tl.Add(raw, ts)
}

type m = map[string]any

func said(text string, more m) m {
	msg := m{"role": "assistant", "content": []any{m{"type": "thinking", "thinking": "hm"}, m{"type": "text", "text": text}}, "stopReason": "stop", "usage": m{"input": 10, "output": 5}}
	for k, v := range more {
		msg[k] = v
	}
	return m{"type": "message_end", "message": msg}
}

func TestTimeline(t *testing.T) {
	kept := map[string]string{}
	tl := New(Meta{AgentID: "a1", Type: "Explore"}, func(s string) (string, error) { kept["sha256:1"] = s; return "sha256:1", nil }, 1000)
	add(t, tl, 1100, m{"type": "message_update", "assistantMessageEvent": m{"type": "text_delta", "delta": "I l"}})
	if f := tl.Frame(); f.Activity != "writing" || f.Live == nil || *f.Live != (Live{"text", "I l"}) {
		t.Errorf("%+v", f)
	}
	add(t, tl, 1200, said("I look", nil))
	add(t, tl, 1300, m{"type": "tool_execution_start", "toolCallId": "c1", "toolName": "read", "args": m{"path": "f"}})
	if f := tl.Frame(); f.Activity != "running read" {
		t.Errorf("%+v", f)
	}
	add(t, tl, 1400, m{"type": "tool_execution_end", "toolCallId": "c1", "toolName": "read", "isError": true, "result": m{"content": []any{m{"type": "text", "text": "no such file"}}}})
	add(t, tl, 1500, said("done", nil))
	add(t, tl, 1500, m{"type": "turn_end"})
	add(t, tl, 1500, m{"type": "from the future", "message": 7})
	tl.End("completed", "", 1600)
	f := tl.Frame()
	if f.Status != "completed" || f.Result != "done" || f.EntryCount != 5 || f.ToolUses != 1 || f.Turns != 1 || *f.Tokens != (Tokens{20, 10, 30}) || f.TokensText != "30" || f.DurationMS != 600 {
		t.Errorf("%+v", f)
	}
	if e := f.Entries[2]; e.Tool != "read" || string(e.Input) != `{"path":"f"}` || !e.IsError || *e.Output != (Output{"no such file", "sha256:1", 12}) {
		t.Errorf("%+v", e)
	}
	if kept["sha256:1"] != "no such file" {
		t.Error(kept)
	}
}

// TestErrorIsNoSuccess: pi exits 0 although its last call of the model failed.
func TestErrorIsNoSuccess(t *testing.T) {
	tl := New(Meta{}, nil, 0)
	add(t, tl, 1, said("", m{"stopReason": "error", "errorMessage": "overloaded"}))
	tl.End("completed", "", 2)
	if f := tl.Frame(); f.Status != "error" || f.Error != "overloaded" {
		t.Errorf("%+v", f)
	}
	tl = New(Meta{}, nil, 0)
	add(t, tl, 1, said("", m{"stopReason": "error", "errorMessage": "overloaded"}))
	add(t, tl, 1, said("it went well", nil))
	tl.End("completed", "", 2)
	if f := tl.Frame(); f.Status != "completed" || f.Error != "" {
		t.Errorf("%+v", f)
	}
}

func TestNothingIsTooLarge(t *testing.T) {
	big := strings.Repeat("é\"\x00", 5<<20/4)
	puts := 0
	tl := New(Meta{AgentID: "a"}, func(s string) (string, error) {
		if puts++; puts > 3 {
			return "", errors.New("full disk")
		}
		return "sha256:" + strings.Repeat("0", 64), nil
	}, 0)
	failed := 0
	for i := range 1000 {
		text := "small"
		if i < 1 {
			text = big
		}
		id := fmt.Sprint("c", i)
		add(t, tl, int64(i), said(text, nil))
		add(t, tl, int64(i), m{"type": "tool_execution_start", "toolCallId": id, "toolName": "bash", "args": m{"command": text}})
		if add(t, tl, int64(i), m{"type": "tool_execution_end", "toolCallId": id, "result": m{"content": []any{m{"type": "text", "text": text}}}}) != nil {
			failed++
		}
		if i < 10 || i%100 == 0 {
			check(t, tl)
		}
	}
	check(t, tl)
	if f := tl.Frame(); f.EntryCount != 3000 || f.First+len(f.Entries) != 3000 || len(f.Entries) < 20 || failed != 997 {
		t.Errorf("%d entries, first %d, shown %d; %d puts failed", f.EntryCount, f.First, len(f.Entries), failed)
	}
}

func check(t *testing.T, tl *Timeline) {
	t.Helper()
	raw, err := json.Marshal(tl.Frame())
	if err != nil || len(raw) > MaxFrame {
		t.Fatalf("a frame of %d bytes: %v", len(raw), err)
	}
}

func TestSpent(t *testing.T) {
	for n, want := range map[int]string{0: "0 steps, 30 tokens", 1: "1 step, 30 tokens", 2: "2 steps, 30 tokens"} {
		if got := (Details{EntryCount: n, TokensText: "30"}).Spent(); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
