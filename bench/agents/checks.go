package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cairn/bench/agents/host"
	"cairn/bench/agents/model"
)

// check is a requirement for the agents in of.
type check struct {
	name string
	// of are the names of the agents; nil means all.
	of []string
	// run returns what this machine lacks for the check, or what is wrong.
	run func(s *scene) (lacks string, err error)
}

var checks = []check{
	{"failing", nil, failing},
	{"terminal", []string{"claude", "gemini", "opencode", "qwen"}, inTerminal}, // cairn cannot capture the shells of the others
	{"deny", nil, deny},
	{"cd", []string{"claude"}, cdPersists}, // each call of the others begins in the project
	{"recall", nil, recallByMCP},
	{"project", nil, projected},
	{"large", nil, large},
	{"hangs", []string{"claude", "codex", "opencode"}, hangs},            // Gemini's time limit is five minutes
	{"background", []string{"claude", "gemini", "opencode"}, background}, // cairn cannot capture Codex's shell
	{"pipes", nil, pipes},
	{"proofs", []string{"claude", "codex", "gemini", "opencode"}, proofs}, // the others have no known hook for when they stop
	{"removed", nil, removed},
	{"gone", nil, gone},
	{"pruned", []string{"opencode"}, pruned}, // no other agent lets old context be changed
	{"plugged", []string{"claude", "gemini"}, plugged},
	{"sandboxed", []string{"codex"}, sandboxed}, // no other agent has a sandbox for each command
}

// about says whether the check is about this agent.
func (c check) about(h *host.Host) bool { return c.of == nil || slices.Contains(c.of, h.Name) }

func runCheck(ctx context.Context, c check, h *host.Host, agents, bin, work string) (lacks string, err error) {
	s, err := newScene(ctx, h, agents, bin, work)
	if err != nil {
		return "", err
	}
	return c.run(s)
}

// beneath says whether cairn can capture the agent's own shell.
func (s *scene) beneath() bool { return s.host.Name != "codex" && s.host.Name != "copilot" }

const pytest = "python3 -m pytest -q -p no:cacheprovider"

// failing checks that a failing test run is captured, and that the model sees status, places and id. If the shell
// cannot be captured, the tool capture_run is used.
func failing(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	var seen []string
	var err error
	if s.beneath() {
		seen, err = s.lines(options{mode: "allow"}, pytest)
	} else {
		seen, err = s.turns(options{mode: "allow", args: s.approves()}, s.tool("capture_run", map[string]any{"command": pytest}))
	}
	if err != nil {
		return "", err
	}
	return "", s.sawFailing(seen[0])
}

// inTerminal checks the same as failing for an agent in a terminal.
func inTerminal(s *scene) (string, error) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return "tmux is not installed", nil
	}
	if err := s.init(""); err != nil {
		return "", err
	}
	seen, err := s.lines(options{mode: "allow", terminal: true}, pytest)
	if err != nil {
		return "", err
	}
	return "", s.sawFailing(seen[0])
}

// sawFailing checks that the model saw only the short form of the failing run, and that the run is recorded.
func (s *scene) sawFailing(seen string) error {
	if err := has(seen, "pytest failed: 1 failed, 1 passed (exit 1)", "test_sum.py:3:", "the sum is wrong", "sha256:"); err != nil {
		return err
	}
	if strings.Contains(seen, "FAILURES") {
		return fmt.Errorf("the model saw the output as it was:\n%s", seen)
	}
	all, err := s.records()
	if err != nil {
		return err
	}
	if len(all) != 1 || all[0].Shell != pytest || all[0].Exit == nil || *all[0].Exit != 1 || all[0].By.Agent != s.host.Name {
		return fmt.Errorf("the record is %+v", all)
	}
	if s.host.Name == "claude" && all[0].By.Session == "" {
		return errors.New("the record does not say which session")
	}
	return nil
}

// approves returns the arguments that let the agent call the server's tools without asking, if its mode does not.
func (s *scene) approves() []string {
	if s.host.Name != "codex" {
		return nil
	}
	return []string{"-c", `mcp_servers.cairn.default_tools_approval_mode="approve"`}
}

// tool calls a tool of the MCP server by the agent's name for it.
func (s *scene) tool(name string, args map[string]any) model.Turn {
	return s.toolWith(name, func(*model.Request) map[string]any { return args })
}

func (s *scene) toolWith(name string, args func(*model.Request) map[string]any) model.Turn {
	call := model.Call{Tool: strings.Replace(s.host.MCP, "recall", name, 1)}
	if s.host.Name == "codex" {
		call.Namespace = "mcp__cairn"
	}
	return func(r *model.Request) model.Reply {
		call.Args = args(r)
		return model.Reply{Calls: []model.Call{call}}
	}
}

// has returns an error if one of the texts is missing.
func has(text string, wants ...string) error {
	for _, want := range wants {
		if !strings.Contains(text, want) {
			return fmt.Errorf("the model did not see %q but\n%s", want, text)
		}
	}
	return nil
}

// cdPersists checks that the working directory is kept between calls, if the host keeps it.
func cdPersists(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	seen, err := s.lines(options{mode: "allow"}, "cd sub && ls -a", "pwd && ls", "cd .. && ls | cat", "/bin/pwd")
	if err != nil {
		return "", err
	}
	for i, want := range map[int]string{1: s.dir + "/sub", 3: s.dir} {
		if got := strings.TrimSpace(strings.SplitN(seen[i], "\n", 2)[0]); got != want {
			return "", fmt.Errorf("after cd it is in %q, not %q", got, want)
		}
	}
	all, err := s.records()
	if err == nil && (len(all) != 4 || all[2].Shell != "pwd && ls") {
		err = fmt.Errorf("the records are %+v", all)
	}
	return "", err
}

var oid = regexp.MustCompile(`sha256:[0-9a-f]{12}`)

// recallByMCP checks that the model can ask for exact lines of output that it saw in short form.
func recallByMCP(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	first := model.Use(s.host.Shell, s.host.ShellArgs(pytest))
	if !s.beneath() {
		first = s.tool("capture_run", map[string]any{"command": pytest})
	}
	ask := s.toolWith("recall", func(r *model.Request) map[string]any {
		return map[string]any{"op": "output", "id": oid.FindString(r.Last()), "lines": "1:3"}
	})
	o := options{mode: "allow"}
	if s.host.Name == "codex" {
		o.args = s.approves()
	}
	seen, err := s.turns(o, first, ask)
	if err != nil {
		return "", err
	}
	if len(seen) != 2 {
		return "", fmt.Errorf("the model saw %q", seen)
	}
	plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(seen[1], "") // a terminal has colours
	return "", has(plain, "F.", "= FAILURES =", "test_sum ___")
}

// projected checks that files committed by a team work in a clone in another home, if cairn is on the PATH. Claude Code
// asks before it starts a project's server, which it cannot do here; Copilot reads no servers from a project.
func projected(s *scene) (string, error) {
	if err := s.install("--project"); err != nil {
		return "", err
	}
	if _, err := s.shell("git add -A && git commit -qm installed && git clone -q . ../clone && ! ls ../clone/.claude/settings.local.json"); err != nil {
		return "", err
	}
	clone := *s
	clone.home, clone.dir = s.home+"-of-another", filepath.Join(filepath.Dir(s.dir), "clone")
	if err := os.RemoveAll(s.home); err != nil {
		return "", err
	}
	if err := (&host.Run{Host: s.host, Home: clone.home, Dir: clone.dir, URL: "http://127.0.0.1:9"}).Prepare(); err != nil {
		return "", err
	}
	o := options{mode: "allow", path: s.cairn + ":"}
	if s.host.Name == "codex" { // Codex reads the settings of trusted projects only
		o.args = append(s.approves(), "-c", fmt.Sprintf("projects={%q={trust_level=\"trusted\"}}", clone.dir))
	}
	turns := []model.Turn{model.Use(s.host.Shell, s.host.ShellArgs(`cairn capture run -- sh -c "echo needle; exit 3"`))}
	if s.host.Name != "claude" && s.host.Name != "copilot" {
		turns = append(turns, s.tool("recall", map[string]any{"op": "search", "grep": "needle"}))
	}
	seen, err := clone.turns(o, turns...)
	if err != nil {
		return "", err
	}
	for _, text := range seen {
		err = errors.Join(err, has(text, "needle"))
	}
	if len(seen) != len(turns) {
		err = errors.Join(err, fmt.Errorf("the model saw %q", seen))
	}
	return "", err
}

// large checks that 5 MB of output are stored completely, and that the model learns how to read them.
func large(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	const line = "seq 1 750000 | tr -d x"
	first := model.Use(s.host.Shell, s.host.ShellArgs(line))
	o := options{mode: "allow"}
	if !s.beneath() {
		first = s.tool("capture_run", map[string]any{"command": line})
		o.args = s.approves()
	}
	seen, err := s.turns(o, first)
	if err != nil {
		return "", err
	}
	if len(seen[0]) > 60_000 {
		return "", fmt.Errorf("the model saw %d bytes", len(seen[0]))
	}
	all, err := s.records()
	if err != nil || len(all) != 1 || all[0].Raw.Size != 5_138_895 || all[0].Shell != line {
		return "", fmt.Errorf("the records are %+v: %v", all, err)
	}
	sum, err := s.shell(s.cairn + "/cairn recall object " + all[0].ID + " | cmp - /dev/stdin 2>/dev/null; " +
		s.cairn + "/cairn recall object " + all[0].ID + " | tr -d '\\r' > out; seq 1 750000 | cmp - out && rm out && echo same")
	if err == nil && !strings.Contains(sum, "same") {
		err = fmt.Errorf("the bytes that come back are not those that were printed: %s", sum)
	}
	return "", err
}

// hangs checks that the host ends a command at its time limit with all of its processes, and that its output is
// recorded. Claude Code moves the command to the background instead.
func hangs(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	args := s.host.ShellArgs("echo begun | cat; sleep 987; echo ended")
	switch s.host.Name {
	case "claude":
		return "", s.movedToBackground()
	case "opencode":
		args["timeout"] = 3000
	case "codex":
		if _, err := s.turns(options{mode: "allow", args: s.approves()}, s.tool("capture_run",
			map[string]any{"command": "echo begun | cat; sleep 987; echo ended", "timeout": 3})); err != nil {
			return "", err
		}
		return "", s.endedByLimit()
	}
	if _, err := s.turns(options{mode: "allow"}, model.Use(s.host.Shell, args)); err != nil {
		return "", err
	}
	return "", s.endedByLimit()
}

// movedToBackground checks that a command which Claude Code moves to the background at its time limit continues, and is
// recorded when it has ended, for which Claude Code waits.
func (s *scene) movedToBackground() error {
	args := s.host.ShellArgs("echo begun | cat; sleep 6; echo ended")
	args["timeout"] = 2000
	seen, err := s.turns(options{mode: "allow"}, model.Use(s.host.Shell, args))
	if err != nil {
		return err
	}
	all, err := s.records()
	if err != nil || len(all) != 1 || all[0].Signal != "" || all[0].Partial || all[0].Exit == nil || *all[0].Exit != 0 {
		return fmt.Errorf("the records are %+v: %v", all, err)
	}
	out, err := s.shell(s.cairn + "/cairn recall object " + all[0].ID)
	return errors.Join(err, has(seen[0], "moved to the background"), has(out, "begun", "ended"))
}

func (s *scene) endedByLimit() error {
	if out, _ := s.shell("pgrep -f 'sleep 987' -u $(id -u) | while read p; do tr '\\0' ' ' </proc/$p/cmdline; echo; done | grep -x 'sleep 987 ' || true"); strings.TrimSpace(out) != "" {
		return fmt.Errorf("the command goes on: %s", out)
	}
	all, err := s.records()
	if err != nil || len(all) != 1 || all[0].Signal == "" && !all[0].Partial && (all[0].Exit == nil || *all[0].Exit == 0) {
		return fmt.Errorf("the records are %+v: %v", all, err)
	}
	out, err := s.shell(s.cairn + "/cairn recall object " + all[0].ID)
	if err == nil {
		err = has(out, "begun")
	}
	return err
}

// background checks that a command in the background is not ended.
func background(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	seen, err := s.lines(options{mode: "allow"}, "(sleep 1; echo late > late.txt) > /dev/null 2>&1 & echo begun", "sleep 2; ls")
	if err != nil {
		return "", err
	}
	return "", errors.Join(has(seen[0], "begun"), has(seen[1], "late.txt"))
}

// pipes checks that findings which the reader of a pipe cut off are shown after its output.
func pipes(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	lines := []string{pytest + " | tail -1", pytest + " | grep -c passed", "(echo first; " + pytest + ") | head -1", pytest + " > /dev/null & wait"}
	var seen []string
	var err error
	if s.beneath() {
		seen, err = s.lines(options{mode: "allow"}, lines...)
	} else {
		var turns []model.Turn
		for _, line := range lines {
			turns = append(turns, s.tool("capture_run", map[string]any{"command": line}))
		}
		seen, err = s.turns(options{mode: "allow", args: s.approves()}, turns...)
	}
	if err != nil {
		return "", err
	}
	if len(seen) != len(lines) {
		return "", fmt.Errorf("the model saw %q", seen)
	}
	return "", errors.Join(
		has(seen[0], "1 failed, 1 passed", "[pytest, before tail: 1 failed, 1 passed: cairn recall object ", "test_sum.py:3:", "the sum is wrong"),
		has(seen[1], "[pytest, before grep: 1 failed, 1 passed: cairn recall object ", "the sum is wrong"),
		has(seen[2], "first"),
		has(seen[3], "pytest exited 1"),
	)
}

// removed checks that after cairn was installed, used and removed, every file is as it was before.
func removed(s *scene) (string, error) {
	if s.host.Name == "claude" {
		// Claude Code writes its own state into the file of its servers.
		if err := os.MkdirAll(filepath.Join(s.home, ".claude"), 0o755); err != nil {
			return "", err
		}
	}
	m := model.Start(model.Say("done"))
	defer m.Close()
	if _, err := s.play(m, options{mode: "allow"}); err != nil { // creates the state of the agent's own first start
		return "", err
	}
	before, err := s.configuration()
	if err != nil {
		return "", err
	}
	if err := s.init(""); err != nil {
		return "", err
	}
	if after, err := s.configuration(); err != nil || equal(before, after) == nil {
		return "", fmt.Errorf("nothing was installed: %w", err)
	}
	if _, err := s.lines(options{mode: "allow"}, "ls / | cat"); err != nil {
		return "", err
	}
	if err := s.init("--remove"); err != nil {
		return "", err
	}
	after, err := s.configuration()
	if err != nil {
		return "", err
	}
	return "", equal(before, after)
}

// gone checks that the agent works as without cairn after cairn's programs have been removed.
func gone(s *scene) (string, error) {
	if err := s.init(""); err != nil {
		return "", err
	}
	if err := os.RemoveAll(s.cairn); err != nil {
		return "", err
	}
	seen, err := s.lines(options{mode: "allow"}, "echo still | cat; echo here >&2")
	if err != nil {
		return "", err
	}
	return "", has(seen[0], "still", "here")
}

// sandboxed checks that a capture in Codex's workspace-write sandbox says in one line where it was stored, and that a
// question outside of the sandbox finds it.
func sandboxed(s *scene) (string, error) {
	// The whole scene is below the directory for temporary files, which this sandbox leaves writable unless
	// it is excluded.
	args := []string{"-s", "workspace-write", "-c", "sandbox_workspace_write.exclude_slash_tmp=true"}
	seen, err := s.lines(options{mode: "rules", args: args}, s.cairn+"/cairn capture run -- sh -c 'echo within; exit 5'")
	if err != nil {
		return "", err
	}
	if strings.Contains(seen[0], "codex-linux-sandbox") || strings.Contains(seen[0], "bwrap: ") {
		return "its sandbox does not start here (bubblewrap, user namespaces)", nil
	}
	if err := has(seen[0], "sh failed: exit 5", "this capture waits in "); err != nil {
		return "", err
	}
	all, err := s.records()
	if err == nil && (len(all) != 1 || all[0].Exit == nil || *all[0].Exit != 5 || all[0].By.Agent != "codex") {
		err = fmt.Errorf("the records are %+v", all)
	}
	return "", err
}
