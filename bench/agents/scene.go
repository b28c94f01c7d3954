package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cairn/bench/agents/host"
	"cairn/bench/agents/model"
	"cairn/bench/tree"
)

// patience bounds one run of an agent; some take seconds, on a busy machine many.
const patience = 5 * time.Minute

// build builds the programs of this tree into dir.
func build(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	root, err := tree.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", dir+string(filepath.Separator), "cairn/cmd/cairn", "cairn/cmd/cairn-mcp", "cairn/cmd/cairn-stage")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building cairn: %w\n%s", err, out)
	}
	return dir, nil
}

// scene is one agent with its own home and project.
type scene struct {
	ctx   context.Context
	host  *host.Host
	agent string // the agent's program
	cairn string // directory of cairn's programs
	home  string
	dir   string
}

func newScene(ctx context.Context, h *host.Host, agents, bin, work string) (*scene, error) {
	agent, err := h.Find(agents)
	if err != nil {
		return nil, err
	}
	s := &scene{ctx: ctx, host: h, agent: agent, cairn: filepath.Join(work, "bin"), home: filepath.Join(work, "home"), dir: filepath.Join(work, "project")}
	for name, text := range map[string]string{
		"project/test_sum.py": "def test_sum():\n    total = 1 + 1\n    assert total == 3, 'the sum is wrong'\n\n\ndef test_ok():\n    pass\n",
		"project/sub/f":       "",
		"home/.gitconfig":     "[user]\n\tname = tester\n\temail = tester@localhost\n",
	} {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	if err := s.copyPrograms(bin); err != nil {
		return nil, err
	}
	// The agent's own settings must exist before cairn's.
	if err := (&host.Run{Host: h, Home: s.home, Dir: s.dir, URL: "http://127.0.0.1:9"}).Prepare(); err != nil {
		return nil, err
	}
	_, err = s.shell("git init -q && git add . && git commit -q -m one")
	return s, err
}

// copyPrograms copies the programs for the scene, since one check removes them.
func (s *scene) copyPrograms(bin string) error {
	if err := os.MkdirAll(s.cairn, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"cairn", "cairn-mcp", "cairn-stage"} {
		if err := os.Link(filepath.Join(bin, name), filepath.Join(s.cairn, name)); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) env() []string {
	return append(s.settings(), "PATH="+os.Getenv("PATH"), "HOME="+s.home, "TMPDIR="+filepath.Join(s.home, "tmp"), "GIT_CONFIG_NOSYSTEM=1")
}

// settings returns the variables by which the agent and cairn init find the agent's home.
func (s *scene) settings() (env []string) {
	r := host.Run{Host: s.host, Home: s.home}
	for _, kv := range r.Settings() {
		for _, key := range []string{"CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "COPILOT_HOME=", "XDG_"} {
			if strings.HasPrefix(kv, key) {
				env = append(env, kv)
			}
		}
	}
	return env
}

// shell runs a line in the project.
func (s *scene) shell(line string) (string, error) {
	cmd := exec.CommandContext(s.ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = s.dir, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", line, err, out)
	}
	return string(out), err
}

// init runs cairn init for this agent. If its shell cannot be captured, the tool that runs commands is requested.
func (s *scene) init(args string) error {
	if args == "" && !s.beneath() {
		args = "--run-tool"
	}
	return s.install(args)
}

// install runs cairn init with these arguments.
func (s *scene) install(args string) error {
	_, err := s.shell(s.cairn + "/cairn init --yes --agent " + s.host.Name + " " + args)
	return err
}

// options of one run of the agent.
type options struct {
	mode     string
	env      []string
	args     []string
	path     string      // put before everything else on PATH
	terminal bool        // run in a terminal, as for a person
	done     func() bool // ends a run in a terminal; nil: after the last turn
}

// play runs the agent with this model.
func (s *scene) play(m *model.Server, o options) (*host.Result, error) {
	r := &host.Run{Host: s.host, Bin: s.agent, Home: s.home, Dir: s.dir, URL: m.URL, Env: o.env, Args: o.args, Mode: o.mode,
		Path: o.path + s.dataHome() + "/bin:" + os.Getenv("PATH")}
	if o.terminal {
		if r.Done = o.done; o.done == nil {
			r.Done = m.Over
		}
	}
	if err := r.Prepare(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	return r.Start(ctx)
}

// dataHome returns the directory in which cairn init puts the stand-ins.
func (s *scene) dataHome() string {
	for _, kv := range s.settings() {
		if dir, ok := strings.CutPrefix(kv, "XDG_DATA_HOME="); ok {
			return filepath.Join(dir, "cairn")
		}
	}
	return filepath.Join(s.home, ".local", "share", "cairn")
}

// lines has the agent run shell lines, one after the other, and returns what the model saw of each.
func (s *scene) lines(o options, lines ...string) ([]string, error) {
	var turns []model.Turn
	for _, line := range lines {
		turns = append(turns, model.Use(s.host.Shell, s.host.ShellArgs(line)))
	}
	return s.turns(o, turns...)
}

// turns plays a script, and returns the tool results that the model saw.
func (s *scene) turns(o options, turns ...model.Turn) ([]string, error) {
	m := model.Start(append(turns, model.Say("done"))...)
	defer m.Close()
	res, err := s.play(m, o)
	if err != nil {
		return nil, err
	}
	seen := m.Last().Results
	if len(seen) == 0 {
		return nil, fmt.Errorf("the model saw no result of a tool; the agent exited %d after %d requests:\n%s\n%s", res.Code, len(m.Requests()), last(res.Stdout), last(res.Stderr))
	}
	return seen, nil
}

func last(b []byte) []byte { return b[max(0, len(b)-1500):] }

// record has the fields that are read from a record.
type record struct {
	ID    string   `json:"id"`
	Shell string   `json:"shell"`
	Argv  []string `json:"argv"`
	Exit  *int     `json:"exit"`
	By    struct {
		Agent   string `json:"agent"`
		Session string `json:"session"`
	} `json:"by"`
	Raw struct {
		OID  string `json:"oid"`
		Size int64  `json:"size"`
	} `json:"raw"`
	Partial bool   `json:"partial"`
	Signal  string `json:"signal"`
}

// records returns the captures of the project, newest first.
func (s *scene) records() ([]record, error) {
	cmd := exec.CommandContext(s.ctx, s.cairn+"/cairn", "recall", "objects", "--limit", "0", "--format", "json")
	cmd.Dir, cmd.Env = s.dir, s.env()
	out, err := cmd.Output()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 3 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []record
	for line := range strings.Lines(string(out)) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
