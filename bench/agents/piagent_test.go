package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/bench/agents/model"
)

// TestPiSubagents: the tool Agent in the real pi.
func TestPiSubagents(t *testing.T) {
	eachPi(t, func(t *testing.T, of installedPi, bin string) {
		t.Run("a process of its own", func(t *testing.T) { piExplores(newPi(t, of, bin)) })
		t.Run("within pi", func(t *testing.T) { piExploresWithin(newPi(t, of, bin)) })
		t.Run("what fails", func(t *testing.T) { piSubagentsFail(newPi(t, of, bin)) })
		t.Run("the parent's context", func(t *testing.T) { piInherits(newPi(t, of, bin)) })
		t.Run("abort", func(t *testing.T) { piAbortsSubagent(newPi(t, of, bin)) })
	})
}

// listen installs an extension that writes what comes over pi's event bus.
func (p *pi) listen() (heard func() []event) {
	p.t.Helper()
	to := filepath.Join(p.home, "events.jsonl")
	p.write(filepath.Join(p.home, "agent", "extensions", "listen.ts"), `import { appendFileSync } from "node:fs";
export default function (pi: any) {
  for (const name of ["created", "started", "completed", "failed", "entry"])
    pi.events.on("subagents:" + name, (data: any) => appendFileSync(`+"`"+to+"`"+`, JSON.stringify({ name, data }) + "\n"));
}
`)
	return func() (all []event) {
		data, err := os.ReadFile(to)
		if err != nil {
			p.t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				p.t.Fatal(err)
			}
			if e.size = len(line); e.size > 20<<10 {
				p.t.Errorf("an event %s of %d bytes", e.Name, e.size)
			}
			all = append(all, e)
		}
		return all
	}
}

// event is one that was heard.
type event struct {
	Name string
	Data struct {
		ID, AgentID, Result, Error string
		Index, ToolUses            int
		Tokens                     json.RawMessage
		Details                    struct {
			Status, DisplayName, AgentMDSource, ModelName string
			Entries                                       []step
			EntryCount                                    int
		}
		Entry step
	}
	size int
}

type step struct {
	Kind, ToolName string
	IsError        bool
	Output         struct {
		Preview, OID string
		Bytes        int
	}
}

func names(all []event) (names []string) {
	for _, e := range all {
		names = append(names, e.Name)
	}
	return slices.Compact(names)
}

// both is a model of parent and subagents: who has a task in its first message is a subagent.
func both(parent, child []model.Turn) []model.Turn {
	next := map[bool]int{}
	return []model.Turn{func(r *model.Request) model.Reply {
		isChild := bytes.Contains(r.Raw, []byte(`<task>`)) || bytes.Contains(r.Raw, []byte(`\u003ctask\u003e`))
		turns := parent
		if isChild {
			turns = child
		}
		next[isChild]++
		return turns[min(next[isChild], len(turns))-1](r)
	}}
}

func explore(prompt string) model.Turn {
	return model.Use("Agent", map[string]any{"subagent_type": "Explore", "description": "Find the big file", "prompt": prompt})
}

const bigOutput = 5 << 20

// piExplores: 5 MB of output in a subagent, which reads a file too.
func piExplores(p *pi) {
	heard := p.listen()
	p.write(filepath.Join(p.dir, "big.txt"), strings.Repeat("0123456789abcde\n", bigOutput/16))
	s, out := p.talk(both([]model.Turn{explore("What is in big.txt?"), model.Say("done")}, []model.Turn{
		model.Use("bash", map[string]any{"command": "cat big.txt"}),
		model.Use("read", map[string]any{"path": "no-such-file"}),
		model.Say("It holds **digits**."),
	}), "--session-dir", filepath.Join(p.home, "sessions"), "--mode", "json", "do it")
	requests := s.Requests()
	if len(requests) != 5 {
		p.t.Fatalf("%d requests\n%.3000s", len(requests), out)
	}
	if !slices.Contains(requests[0].Tools, "Agent") {
		p.t.Errorf("the parent's tools: %v", requests[0].Tools)
	}
	child := requests[1]
	if slices.Contains(child.Tools, "Agent") || slices.Contains(child.Tools, "write") || !slices.Contains(child.Tools, "bash") || !slices.Contains(child.Tools, "recall") {
		p.t.Errorf("the subagent's tools: %v", child.Tools)
	}
	if body := string(child.Raw); !strings.Contains(body, "You explore a code base") || strings.Contains(body, "parent-context") || strings.Contains(body, "structured-return/SKILL.md") {
		p.t.Errorf("the subagent was told %.2000s", body)
	}
	if answer := s.Last().Last(); !strings.HasPrefix(answer, "It holds **digits**.\n\n[timeline ") {
		p.t.Errorf("the parent was told %q", answer)
	}
	p.checkEvents(heard())
	if n := len(p.sessions()); n != 1 {
		p.t.Errorf("%d sessions", n)
	}
	p.checkTimeline()
}

// checkEvents holds the wire contract against what was heard.
func (p *pi) checkEvents(all []event) {
	p.t.Helper()
	if got := names(all); got[0] != "created" || got[1] != "started" || got[len(got)-1] != "completed" {
		p.t.Errorf("events: %v", got)
	}
	if d := all[0].Data.Details; d.Status != "queued" || d.AgentMDSource != "bundled" || d.DisplayName != "Explore (read-only)" {
		p.t.Errorf("created: %+v", d)
	}
	var steps []step
	for _, e := range all {
		if e.Name == "entry" {
			if e.Data.Index != len(steps) || e.Data.AgentID != all[0].Data.ID {
				p.t.Errorf("entry %d after %d", e.Data.Index, len(steps))
			}
			steps = append(steps, e.Data.Entry)
		}
	}
	last := all[len(all)-1].Data
	if len(steps) != 3 || steps[0].Output.OID == "" || steps[0].Output.Bytes < 10_000 || !steps[1].IsError || steps[2].Kind != "text" {
		p.t.Errorf("steps: %+v", steps)
	}
	if d := last.Details; d.Status != "completed" || d.EntryCount != 3 || len(d.Entries) != 3 || last.ToolUses != 2 || d.ModelName != "scripted/m1" || last.Result != "It holds **digits**." || len(last.Tokens) < 10 {
		p.t.Errorf("completed: %+v", last)
	}
}

func (p *pi) sessions() (files []string) {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.home, "sessions", "*.jsonl"))
	more, moreErr := filepath.Glob(filepath.Join(p.home, "agent", "sessions", "*", "*.jsonl"))
	if err != nil || moreErr != nil {
		p.t.Fatal(err, moreErr)
	}
	return append(files, more...)
}

// program is the cairn of this test.
func (p *pi) program() (bin string) {
	for _, kv := range p.env {
		if v, ok := strings.CutPrefix(kv, "CAIRN_PROGRAM="); ok {
			bin = v
		}
	}
	return bin
}

// cairn runs cairn where pi works.
func (p *pi) cairn(args ...string) string { return p.run(p.program(), args...) }

func (p *pi) run(bin string, args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), bin, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("cairn %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// checkTimeline: the steps are on the record, and the bytes of the output come back.
func (p *pi) checkTimeline() {
	p.t.Helper()
	list := p.cairn("timeline", "list")
	id, _, _ := strings.Cut(list, " ")
	if !strings.Contains(list, "completed") || !strings.Contains(list, "Find the big file") {
		p.t.Fatalf("timeline list: %s", list)
	}
	shown := p.cairn("timeline", "show", id)
	for _, want := range []string{"bash", "sha256:", "It holds **digits**."} {
		if !strings.Contains(shown, want) {
			p.t.Errorf("timeline show: no %q in\n%s", want, shown)
		}
	}
	if text := p.cairn("recall", "object", objectID.FindString(shown)); !strings.Contains(text, "0123456789abcde\n0123456789abcde\n") {
		p.t.Errorf("the output: %.200s", text)
	}
}

func (p *pi) settings(json string) {
	p.write(filepath.Join(p.home, "agent", "extensions", "pi-dashboard-subagents", "config.json"), json)
}

func piExploresWithin(p *pi) {
	heard := p.listen()
	p.settings(`{"runner":"in-process"}`)
	p.write(filepath.Join(p.dir, "big.txt"), strings.Repeat("0123456789abcde\n", bigOutput/16))
	s, out := p.talk(both([]model.Turn{explore("What is in big.txt?"), model.Say("done")}, []model.Turn{
		model.Use("bash", map[string]any{"command": "cat big.txt"}),
		model.Use("read", map[string]any{"path": "no-such-file"}),
		model.Say("It holds **digits**."),
	}), "--session-dir", filepath.Join(p.home, "sessions"), "--mode", "json", "do it")
	if requests := s.Requests(); len(requests) != 5 || slices.Contains(requests[1].Tools, "Agent") || slices.Contains(requests[1].Tools, "write") {
		p.t.Fatalf("%d requests\n%.3000s", len(requests), out)
	}
	p.checkEvents(heard())
	if n := len(p.sessions()); n != 1 {
		p.t.Errorf("%d sessions", n)
	}
	p.checkTimeline()
}

// piSubagentsFail: a model that is not there, a role without a handler, a definition that cannot be
// read, and a model that fails, after which pi itself exits with 0.
func piSubagentsFail(p *pi) {
	heard := p.listen()
	p.write(filepath.Join(p.home, "agent", "agents", "Broken.md"), "---\ntools: [read\n---\nbe careful\n")
	call := func(kind, ref string) model.Turn {
		return model.Use("Agent", map[string]any{"subagent_type": kind, "description": "d", "prompt": "p", "model": ref})
	}
	s, _ := p.talk(both([]model.Turn{
		call("any", "nosuch/model"), call("any", "@fast"), call("Broken", ""), call("any", "m1:high"), model.Say("done"),
	}, []model.Turn{func(*model.Request) model.Reply { return model.Reply{Fail: "the model is overloaded"} }}), "--no-session", "-p", "do it")
	results := s.Last().Results
	for i, want := range []string{`model "nosuch/model" (argument of the call) is unknown to pi`, "is a role, and no extension", "Broken.md: its frontmatter", "the model is overloaded"} {
		if i >= len(results) || !strings.Contains(results[i], want) {
			p.t.Errorf("result %d: %q, want %q", i, results, want)
		}
	}
	failed := 0
	for _, e := range heard() {
		if e.Name == "failed" && e.Data.Details.Status == "error" && e.Data.Error != "" {
			failed++
		}
	}
	if failed != 4 {
		p.t.Errorf("%d failed", failed)
	}
}

// seed writes a session of n turns, each with a call of bash, as pi would have.
func (p *pi) seed(n int, output func(turn int) string) (file string) {
	p.t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	encode := func(v map[string]any) {
		if err := enc.Encode(v); err != nil {
			p.t.Fatal(err)
		}
	}
	const when = "2026-01-02T03:04:05.000Z"
	encode(map[string]any{"type": "session", "version": 3, "id": "01234567-89ab-7cde-8f01-23456789abcd", "timestamp": when, "cwd": p.dir})
	count, parent := 0, any(nil)
	add := func(message map[string]any) {
		count++
		id := fmt.Sprintf("%08x", count)
		message["timestamp"] = 1767323045000 + count
		encode(map[string]any{"type": "message", "id": id, "parentId": parent, "timestamp": when, "message": message})
		parent = id
	}
	said := func(stop string, content ...any) map[string]any {
		return map[string]any{"role": "assistant", "api": "openai-completions", "provider": "scripted", "model": "m1", "stopReason": stop, "content": content,
			"usage": map[string]any{"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
				"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}}
	}
	for i := range n {
		call := fmt.Sprint("call_seed_", i)
		add(map[string]any{"role": "user", "content": fmt.Sprint("question ", i)})
		add(said("toolUse", map[string]any{"type": "toolCall", "id": call, "name": "bash", "arguments": map[string]any{"command": fmt.Sprint("turn ", i)}}))
		add(map[string]any{"role": "toolResult", "toolCallId": call, "toolName": "bash", "isError": false, "content": []any{map[string]any{"type": "text", "text": output(i)}}})
		add(said("stop", map[string]any{"type": "text", "text": fmt.Sprint("answer ", i)}))
	}
	file = filepath.Join(p.home, "seeded.jsonl")
	p.write(file, b.String())
	return file
}

// piInherits: eight turns of a session, of which a subagent gets the last six in order.
func piInherits(p *pi) {
	session := p.seed(8, func(i int) string { return fmt.Sprint("output of turn ", i) })
	s, _ := p.talk(both([]model.Turn{model.Use("Agent", map[string]any{"subagent_type": "any", "description": "d", "prompt": "go on"}), model.Say("done")},
		[]model.Turn{model.Say("ok")}), "--session", session, "-p", "question 8")
	var told string
	for _, r := range s.Requests() {
		if bytes.Contains(r.Raw, []byte("parent-context")) {
			told = string(r.Raw)
			break
		}
	}
	at := 0
	for i := 3; i <= 8; i++ {
		next := strings.Index(told, fmt.Sprint("question ", i))
		if next < at {
			p.t.Fatalf("question %d is missing or out of order in %s", i, told)
		}
		at = next
	}
	for want, there := range map[string]bool{"question 2": false, "answer 7": true, "output of turn 7": true, "[tool output omitted — sha256:": true, "[tool: bash(turn 3)]": true} {
		if strings.Contains(told, want) != there {
			p.t.Errorf("%q: want %v in %s", want, there, told)
		}
	}
}

func piAbortsSubagent(p *pi) {
	p.model(both([]model.Turn{explore("wait"), model.Say("done")}, []model.Turn{model.Use("bash", map[string]any{"command": "echo begun; sleep 300"})})...)
	r := p.rpc()
	r.say(`{"type":"prompt","message":"do it"}`)
	r.until("that the subagent runs bash", func(m map[string]any) bool {
		line, _ := json.Marshal(m)
		return m["type"] == "tool_execution_update" && strings.Contains(string(line), "running bash")
	})
	r.say(`{"type":"abort"}`)
	end := r.until("the end of the subagent", func(m map[string]any) bool { return m["type"] == "tool_execution_end" })
	if line, _ := json.Marshal(end); !strings.Contains(string(line), "aborted by parent") {
		p.t.Errorf("%s", line)
	}
	if list := p.cairn("timeline", "list"); !strings.Contains(list, "aborted") {
		p.t.Errorf("timeline list: %s", list)
	}
}
