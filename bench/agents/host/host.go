// Package host runs the real coding agents, headless or in a terminal, each in its own home and with a scripted model
// on loopback (package model).
//
// It promises that an agent sees nothing of the user's own configuration, that its ordinary settings let it reach no
// other machine, and that it ends with the context. It is for tests and measurements. What may go in: how an agent is
// installed, configured for a test and started, but not cairn's files, which "cairn init" installs into the same home.
package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Host is one coding agent.
type Host struct {
	Name    string // as in "cairn init --agent"
	Package string // on npm, with the version this was written for
	Light   bool   // one of the two agents that run in CI

	Shell    string // name of its shell tool
	MCP      string // its name for the tool "recall" of the MCP server "cairn"
	HidesTip string // why the model may not see a status; "" if it always does
	// ShellArgs are the arguments of a shell call.
	ShellArgs func(line string) map[string]any

	binary  string // pattern below node_modules
	node    bool   // the binary is a script for node
	prepare func(r *Run) error
	argv    func(r *Run) []string // uses Run.Done if the agent is also run in a terminal
	env     func(r *Run) []string
}

// Run is one run of an agent.
type Run struct {
	Host *Host
	Bin  string // the agent's program, found by Find
	Home string // used by this run only
	Dir  string // the project
	URL  string // the model's address
	Path string // PATH; "" for the caller's own

	Env  []string // additional variables
	Args []string // additional flags
	// Mode is "allow", in which every command may run, "ask", in which commands are refused because no person can
	// approve them, or "rules", in which only the host's own rules decide.
	Mode string
	// If Done is set, the agent runs in a terminal (tmux), as for a person, until Done returns true. If it is nil, the
	// agent runs without a terminal and ends by itself.
	Done func() bool
}

// Result is the result of an agent's run.
type Result struct {
	Stdout, Stderr []byte
	Shown          []byte // every screen of a terminal, one after the other
	Code           int
	Took           time.Duration
}

// Find returns the path of an agent that was installed below dir by
// "npm install --prefix DIR/NAME PACKAGE".
func (h *Host) Find(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, h.Name, "node_modules", h.binary))
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("%s is not installed below %s: run go -C bench run ./agents -install %s", h.Name, dir, dir)
	}
	return found[0], nil
}

// Prepare writes the agent's own configuration into its home, unless it exists.
func (r *Run) Prepare() error {
	if err := os.MkdirAll(filepath.Join(r.Home, "tmp"), 0o755); err != nil {
		return err
	}
	return r.Host.prepare(r)
}

// Start runs the agent and waits until it ends.
func (r *Run) Start(ctx context.Context) (*Result, error) {
	argv := append([]string{r.Bin}, r.Host.argv(r)...)
	if r.Host.node {
		node, err := exec.LookPath("node")
		if err != nil {
			return nil, err
		}
		argv = append([]string{node}, argv...)
	}
	if r.Done != nil {
		return r.inTerminal(ctx, argv)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = r.Dir, append(r.environ(), "TERM=dumb")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	asGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	began := time.Now()
	err := cmd.Run()
	res := &Result{Stdout: out.Bytes(), Stderr: errs.Bytes(), Code: cmd.ProcessState.ExitCode(), Took: time.Since(began)}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return res, fmt.Errorf("running %s: %w", r.Host.Name, err)
	}
	if ctx.Err() != nil {
		return res, fmt.Errorf("running %s: %w\n%s", r.Host.Name, ctx.Err(), tail(res.Stderr))
	}
	return res, nil
}

// environ returns the environment of the agent, without TERM.
func (r *Run) environ() []string {
	path := r.Path
	if path == "" {
		path = os.Getenv("PATH")
	}
	env := append([]string{"PATH=" + path, "HOME=" + r.Home, "TMPDIR=" + filepath.Join(r.Home, "tmp"), "SHELL=/bin/bash",
		"GIT_CONFIG_NOSYSTEM=1", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost", "npm_config_fetch_retries=0"}, r.Host.env(r)...)
	return append(env, r.Env...)
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }

// writeNew writes a file unless it exists.
func writeNew(path, content string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

// Install installs an agent below dir from npm, unless this version is installed.
func (h *Host) Install(ctx context.Context, dir string) error {
	name := h.Package[:strings.LastIndexByte(h.Package, '@')]
	about, err := os.ReadFile(filepath.Join(dir, h.Name, "node_modules", name, "package.json"))
	var is struct{ Version string }
	if err == nil && json.Unmarshal(about, &is) == nil && is.Version == h.Version() {
		return nil
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", filepath.Join(dir, h.Name), h.Package)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing %s: %w\n%s", h.Package, err, tail(out))
	}
	return nil
}

// Version returns the version in Package.
func (h *Host) Version() string { return h.Package[strings.LastIndexByte(h.Package, '@')+1:] }

// Settings returns the variables that configure the agent for this run.
func (r *Run) Settings() []string { return r.Host.env(r) }
