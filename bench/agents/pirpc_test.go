package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"time"

	"cairn/bench/agents/model"
)

// piRPC is pi in its mode rpc, where what a person would see is a message.
type piRPC struct {
	p     *pi
	in    io.WriteCloser
	lines chan map[string]any
	wait  func() error
}

func (p *pi) rpc(session ...string) *piRPC {
	p.t.Helper()
	if len(session) == 0 {
		session = []string{"--no-session"}
	}
	cmd := p.command(append([]string{"--model", "scripted/m1", "--mode", "rpc"}, session...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	r := &piRPC{p: p, in: in, lines: make(chan map[string]any, 1000), wait: cmd.Wait}
	go func() {
		defer close(r.lines)
		for from := bufio.NewReader(out); ; {
			line, err := from.ReadString('\n')
			var m map[string]any
			if json.Unmarshal([]byte(line), &m) == nil {
				r.lines <- m
			}
			if err != nil {
				return
			}
		}
	}()
	p.t.Cleanup(r.end)
	return r
}

func (r *piRPC) end() {
	r.in.Close()
	for range r.lines {
	}
	if err := r.wait(); err != nil {
		r.p.t.Errorf("pi: %v", err)
	}
}

func (r *piRPC) say(line string) {
	r.p.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.p.t.Fatal(err)
	}
}

// until waits for a message that fits.
func (r *piRPC) until(what string, fits func(m map[string]any) bool) map[string]any {
	r.p.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case m, ok := <-r.lines:
			if !ok {
				r.p.t.Fatalf("pi ended before %s", what)
			}
			if fits(m) {
				return m
			}
		case <-late:
			r.p.t.Fatalf("pi never said %s", what)
		}
	}
}

func (r *piRPC) command(name string) string {
	r.p.t.Helper()
	r.say(`{"type":"prompt","message":"` + name + `"}`)
	m := r.until("what "+name+" shows", func(m map[string]any) bool { return m["method"] == "notify" })
	text, _ := m["message"].(string)
	return text
}

func piCommands(p *pi) {
	p.model(model.Use("structured_return", map[string]any{"command": "seq 1 3"}), model.Say("done"))
	r := p.rpc()
	r.say(`{"type":"prompt","message":"do it"}`)
	r.until("the status of pruning", func(m map[string]any) bool {
		text, _ := m["statusText"].(string)
		return m["method"] == "setStatus" && strings.Contains(text, "tool tokens scanned | pruned ~0.0K | ") && strings.HasSuffix(text, " protected")
	})
	r.until("the end", func(m map[string]any) bool { return m["type"] == "agent_end" })
	for name, want := range map[string]string{
		"/sr-parsers": "vitest-json: vitest", "/sr-stats": "This session: 1 run, 0 failed; ~2 tokens printed, ~", "/prune": "next request",
		"/prune-stats": "Pruned: 0 outputs", "/prune-config": `"protect": 40000`, "/prune-toggle": "Pruning is off. The next request is sent whole.",
	} {
		if text := r.command(name); !strings.Contains(text, want) {
			p.t.Errorf("%s: %s", name, text)
		}
	}
}

// piAborts: a run that is aborted ends, with what it had printed on the record.
func piAborts(p *pi) {
	s := p.model(model.Use("structured_return", map[string]any{"command": "echo begun; sleep 300"}), model.Say("done"))
	r := p.rpc()
	r.say(`{"type":"prompt","message":"do it"}`)
	r.until("the progress of the run", func(m map[string]any) bool {
		line, _ := json.Marshal(m)
		return m["type"] == "tool_execution_update" && strings.Contains(string(line), `"text":"begun`)
	})
	r.say(`{"type":"abort"}`)
	end := r.until("the end of the run", func(m map[string]any) bool { return m["type"] == "tool_execution_end" })
	line, _ := json.Marshal(end)
	if !strings.Contains(string(line), "begun") || !strings.Contains(string(line), "sha256:") || len(s.Requests()) != 1 {
		p.t.Errorf("%s", line)
	}
}
