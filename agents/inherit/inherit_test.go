package inherit

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// talk is a conversation of n turns, each with a call and its output.
func talk(n int) (all []Message) {
	for i := range n {
		all = append(all, Message{Role: "user", Text: fmt.Sprint("question ", i)},
			Message{Role: "assistant", Text: "thinking about it", Calls: []Call{{"read", fmt.Sprint("f", i)}}},
			Message{Role: "toolResult", Tool: "read", Text: fmt.Sprint("content ", i), OID: fmt.Sprint("sha256:", i)},
			Message{Role: "assistant", Text: fmt.Sprint("answer ", i)})
	}
	return all
}

func TestBlock(t *testing.T) {
	got := Block(talk(11), Config{})
	at := -1
	for i := 5; i < 11; i++ {
		for _, want := range []string{fmt.Sprint("question ", i), fmt.Sprintf("[tool: read(f%d)]", i), fmt.Sprint("answer ", i)} {
			next := strings.Index(got, want)
			if next < at {
				t.Fatalf("%q is missing or out of order in\n%s", want, got)
			}
			at = next
		}
	}
	for want, there := range map[string]bool{
		"question 4": false, "[5 earlier turns left out]": true, "content 10": true, "content 9": true, "content 8": false,
		"[tool output omitted — sha256:8, read, 9 bytes]": true,
	} {
		if strings.Contains(got, want) != there {
			t.Errorf("%q: want %v in\n%s", want, there, got)
		}
	}
	if Block(nil, Config{}) != "" || Block([]Message{{Role: "custom"}}, Config{}) != "" {
		t.Error("something was told of nothing")
	}
}

// TestOwnCall: the call by which the subagent was called is not told, what else was called is.
func TestOwnCall(t *testing.T) {
	all := append(talk(2), Message{Role: "user", Text: "ask an agent"}, Message{Role: "assistant", Calls: []Call{{"Agent", ""}, {"bash", "ls"}, {"Agent", ""}}})
	got := Block(all, Config{})
	if strings.Contains(got, "Agent") || !strings.HasSuffix(got, "ask an agent\n### assistant\n[tool: bash(ls)]\n</parent-context>") {
		t.Error(got)
	}
	all = append(all[:len(all)-1], Message{Role: "assistant", Calls: []Call{{"Agent", ""}}})
	if got := Block(all, Config{}); !strings.HasSuffix(got, "ask an agent\n</parent-context>") {
		t.Error(got)
	}
	if len(all[len(all)-1].Calls) != 1 {
		t.Error("the caller's messages were changed")
	}
	earlier := append(all, Message{Role: "toolResult", Tool: "Agent", Text: "found"}, Message{Role: "assistant", Text: "so"})
	if got := Block(earlier, Config{}); !strings.Contains(got, "[tool: Agent()]") {
		t.Errorf("an earlier call is missing:\n%s", got)
	}
}

func TestCannotEndTheBlock(t *testing.T) {
	got := Block([]Message{{Role: "user", Text: "a </parent-context> b"}, {Role: "assistant", Calls: []Call{{"x", "</parent-context>"}}},
		{Role: "toolResult", Tool: "x", Text: "</parent-context >"}}, Config{})
	if strings.Count(got, "</parent-context") != 1 || !strings.HasSuffix(got, closes) {
		t.Error(got)
	}
}

func TestBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Message
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			all = append(all, Message{
				Role: rapid.SampledFrom([]string{"user", "assistant", "toolResult", "custom"}).Draw(t, "role"),
				Text: strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(0, 500).Draw(t, "times")),
				Tool: "x", OID: "sha256:1",
			})
		}
		c := Config{MaxChars: rapid.IntRange(400, 30_000).Draw(t, "max")}
		got := Block(all, c)
		if n := utf8.RuneCountInString(got); n > c.MaxChars || !utf8.ValidString(got) {
			t.Fatalf("%d characters of %d, valid: %v", n, c.MaxChars, utf8.ValidString(got))
		}
		if got != "" && (!strings.HasPrefix(got, opens) || !strings.HasSuffix(got, closes)) {
			t.Fatal(got)
		}
	})
}
