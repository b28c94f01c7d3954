package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"cairn/agents/prune"
)

// message is a message of the session.
type message struct {
	prune.Message
	call string // id of the assistant's tool call
	said string // text of the user or the assistant
}

// asks says whether the model is called after this message.
func (m message) asks() bool { return m.Role != "assistant" }

// wire returns the message in the format of chat completions.
func (m message) wire() any {
	switch m.Role {
	case "toolResult":
		return map[string]any{"role": "tool", "tool_call_id": m.ID, "content": m.Text}
	case "assistant":
		if m.call != "" {
			return map[string]any{"role": "assistant", "content": m.said, "tool_calls": []any{map[string]any{"id": m.call, "type": "function",
				"function": map[string]any{"name": m.Tool, "arguments": fmt.Sprint(m.Args)}}}}
		}
	}
	return map[string]any{"role": m.Role, "content": m.said}
}

// session returns a session of this many turns: in each the agent searches, reads some of twelve files, edits one and runs
// the tests, which sometimes fail, and print the same if nothing has changed.
func session(turns int) (all []message) {
	random := rand.New(rand.NewPCG(40, 1))
	files := make([]string, 12)
	for i := range files {
		files[i] = text(random, 4_000+random.IntN(20_000))
	}
	calls := 0
	use := func(tool string, args map[string]string, output string, failed bool) {
		calls++
		id := fmt.Sprint("call_", calls)
		all = append(all, message{Message: prune.Message{Role: "assistant", Tool: tool, Args: args}, call: id, said: "I look at it."},
			message{Message: prune.Message{ID: id, Role: "toolResult", Tool: tool, Args: args, Error: failed, Text: output}})
	}
	for turn := range turns {
		all = append(all, message{Message: prune.Message{Role: "user"}, said: fmt.Sprint("Now task ", turn, ": ", text(random, 200))})
		use("grep", map[string]string{"pattern": fmt.Sprint("task", turn)}, text(random, 500+random.IntN(4_000)), false)
		at := random.IntN(len(files))
		for i := range 1 + random.IntN(3) {
			n := (at + i) % len(files)
			use("read", map[string]string{"path": fmt.Sprint("src/file", n, ".go")}, files[n], false)
		}
		if random.IntN(3) > 0 {
			files[at] = text(random, len(files[at])+random.IntN(400))
			use("edit", map[string]string{"path": fmt.Sprint("src/file", at, ".go")}, "Edited.", false)
		}
		failed := random.IntN(4) == 0
		use("bash", map[string]string{"command": "go test ./..."}, text(random, 2_000+random.IntN(30_000)), failed)
		all = append(all, message{Message: prune.Message{Role: "assistant"}, said: "Done: " + text(random, 600)})
	}
	return all
}

// text returns text of at least size bytes, in lines that look like a program's.
func text(random *rand.Rand, size int) string {
	words := strings.Fields("func return if err nil value store record object range append string result parse line token")
	var b strings.Builder
	for b.Len() < size {
		for range 4 + random.IntN(8) {
			b.WriteString(words[random.IntN(len(words))] + " ")
		}
		b.WriteByte('\n')
	}
	return b.String()[:size]
}
