package prune

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// output is a tool output of so many tokens.
func output(id, tool string, tokens int, args ...string) Message {
	m := Message{ID: id, Role: "toolResult", Tool: tool, Text: id + strings.Repeat("x", 4*tokens-len(id)), Args: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		m.Args[args[i]] = args[i+1]
	}
	return m
}

func user() Message { return Message{Role: "user"} }

func ids(d Decision) (list []string) {
	for _, p := range d.New {
		list = append(list, p.ID)
	}
	return list
}

func TestDecide(t *testing.T) {
	failed := output("e", "bash", 30_000)
	failed.Error = true
	image := output("p", "read", 30_000)
	image.Fixed = true
	two := []Message{user(), user()}
	with := func(m ...Message) []Message { return append(append([]Message{user()}, m...), two...) }
	for _, c := range []struct {
		name     string
		messages []Message
		config   Config
		want     []string
	}{
		{name: "within what is protected", messages: with(output("a", "bash", 39_000))},
		{name: "beyond", messages: with(output("a", "bash", 30_000), output("b", "bash", 40_000)), want: []string{"a"}},
		{name: "the crossing one is kept by pi", messages: with(output("a", "bash", 20_000), output("b", "bash", 30_000), output("c", "bash", 30_000)), want: []string{"a"}},
		{name: "and pruned by opencode", messages: with(output("a", "bash", 20_000), output("b", "bash", 30_000), output("c", "bash", 30_000)),
			config: Config{Mode: "opencode"}, want: []string{"a", "b"}},
		{name: "exactly the minimum is enough for pi", messages: with(output("a", "bash", 20_000), output("b", "bash", 40_000)), want: []string{"a"}},
		{name: "and not for opencode", messages: with(output("a", "bash", 20_000), output("b", "bash", 40_000)), config: Config{Mode: "opencode"}},
		{name: "below the minimum", messages: with(output("a", "bash", 19_999), output("b", "bash", 40_000))},
		{name: "the last turns are protected", messages: []Message{user(), output("a", "bash", 90_000), user(), output("b", "bash", 90_000), user()}},
		{name: "errors and images never", messages: with(failed, image, output("b", "bash", 40_000))},
		{name: "other tools never", messages: with(output("a", "todo", 30_000), output("b", "bash", 40_000))},
		{name: "unless named", messages: with(output("a", "mcp_x", 30_000), output("b", "bash", 40_000)), config: Config{Prunable: []string{"mcp_*", "bash"}}, want: []string{"a"}},
		{name: "an empty list is every tool", messages: with(output("a", "websearch", 30_000), output("b", "bash", 40_000)), config: Config{Prunable: []string{}}, want: []string{"a"}},
		{name: "but those protected", messages: with(output("a", "websearch", 30_000), output("b", "bash", 40_000)), config: Config{Prunable: []string{}, Protected: []string{"web*"}}},
		{name: "protected beats prunable", messages: with(output("a", "bash", 30_000), output("b", "read", 40_000)), config: Config{Protected: []string{"ba*"}}},
		{name: "nothing before a compaction", messages: with(output("a", "bash", 30_000), Message{Role: "compactionSummary"}, output("b", "bash", 40_000))},
		{name: "the same bytes again", messages: []Message{user(), {ID: "a", Role: "toolResult", Tool: "bash", Text: strings.Repeat("same", 21_000)},
			{ID: "b", Role: "toolResult", Tool: "bash", Text: strings.Repeat("same", 21_000)}, user(), user()}, want: []string{"a"}},
		{name: "read again", messages: with(output("a", "read", 21_000, "path", "f"), output("b", "read", 100, "path", "f")), want: []string{"a"}},
		{name: "written since", messages: with(output("a", "read", 21_000, "path", "f"), output("b", "edit", 100, "path", "f")), want: []string{"a"}},
		{name: "a part was read again", messages: with(output("a", "read", 21_000, "path", "f"), output("b", "read", 100, "path", "f", "offset", "3"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ids(Decide(c.messages, c.config, nil, false)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestMarker(t *testing.T) {
	m := output("a", "bash", 42_150, "command", "go test ./...\n")
	p := pruned(m)
	if !strings.HasPrefix(p.Text, "["+p.OID[:shortOID]+" ") || !strings.Contains(p.Text, `~42150 tokens: bash "go test ./..."`) {
		t.Error(p.Text)
	}
	if small := (Message{ID: "s", Role: "toolResult", Tool: "ls", Text: "a\nb\n"}); len(Decide([]Message{user(), small, user(), user()}, Config{}, nil, true).New) != 0 {
		t.Error("a marker that is longer than the text was used")
	}
}

func drawMessages(t *rapid.T) []Message {
	n := rapid.IntRange(0, 40).Draw(t, "n")
	var all []Message
	for i := range n {
		m := Message{ID: fmt.Sprint("m", i), Role: rapid.SampledFrom([]string{"user", "assistant", "toolResult", "toolResult", "toolResult", "compactionSummary"}).Draw(t, "role")}
		if m.Role == "toolResult" {
			m.Tool = rapid.SampledFrom([]string{"read", "bash", "edit", "todo"}).Draw(t, "tool")
			m.Error = rapid.Float64Range(0, 1).Draw(t, "error") < 0.2
			m.Args = map[string]string{"path": rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "path")}
			m.Text = strings.Repeat(rapid.StringN(1, 3, -1).Draw(t, "text"), rapid.IntRange(0, 4000).Draw(t, "times"))
		}
		all = append(all, m)
	}
	return all
}

// TestStable: what a conversation was shown as stays as it is while it grows,
// but for what is decided at a user's turn; and no edit is longer than what it replaces.
func TestStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawMessages(t)
		c := Config{Protect: 2000, Minimum: 500, Mode: rapid.SampledFrom([]string{"pi", "opencode"}).Draw(t, "mode")}
		var before []Pruned
		shown := map[string]string{}
		saved := 0
		for n := range all {
			d := Decide(all[:n+1], c, before, false)
			if all[n].Role != "user" && len(d.New) > 0 {
				t.Fatalf("decided in the middle of a turn: %v", d.New)
			}
			before = append(before, d.New...)
			for _, e := range d.Edits {
				m := all[e.Index]
				if m.ID != e.ID || m.Error || len(e.Text) >= len(m.Text) {
					t.Fatalf("edit %+v of %+v", e, m)
				}
				if was, ok := shown[e.ID]; ok && was != e.Text {
					t.Fatalf("%s was %q and is %q", e.ID, was, e.Text)
				}
				shown[e.ID] = e.Text
			}
			if len(d.Edits) != len(before) || d.Saved < saved {
				t.Fatalf("%d edits of %d; saved %d after %d", len(d.Edits), len(before), d.Saved, saved)
			}
			saved = d.Saved
			again := Decide(all[:n+1], c, before, false)
			if len(again.New) > 0 && all[n].Role != "user" || !reflect.DeepEqual(again.Edits, d.Edits) && len(again.New) == 0 {
				t.Fatalf("asked twice: %+v, then %+v", d, again)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	for _, c := range []Config{{Mode: "x"}, {Turns: -1}, {Prunable: []string{"["}}} {
		if c.Check() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}
