package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/bench/agents/model"
)

// rule makes an agent deny python3 and allow touch.
type rule struct {
	mode    string
	args    []string
	env     []string
	files   map[string]string // below home
	nothing bool              // the agent denies the whole shell
}

// rules are, by agent, the permission modes in which rules decide.
var rules = map[string][]rule{
	"claude": {
		{mode: "rules", args: []string{"--permission-mode", "default", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
		{mode: "rules", args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
		{mode: "rules", args: []string{"--permission-mode", "dontAsk", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(python3:*)"}},
		{mode: "rules", args: []string{"--permission-mode", "bypassPermissions", "--disallowedTools", "Bash(python3:*)"}, env: []string{"IS_SANDBOX=1"}}, // without it, the agent refuses to run as root
	},
	"codex": {
		{mode: "allow", files: map[string]string{".codex/rules/default.rules": "prefix_rule(pattern=[\"python3\"], decision=\"forbidden\")\n"}},
	},
	"gemini": {
		{mode: "allow", files: map[string]string{".gemini/policies/rules.toml": "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"python3\"\ndecision = \"deny\"\npriority = 900\n"}},
	},
	"copilot": {
		{mode: "allow", args: []string{"--deny-tool", "shell(python3)"}},
	},
	"qwen": {
		{mode: "allow", files: map[string]string{".qwen/settings.json": "{\n  \"permissions\": {\"deny\": [\"Bash(python3 *)\"]},\n  \"telemetry\": {\"enabled\": false}\n}\n"}},
	},
	"opencode": {
		{mode: "allow", files: map[string]string{"config/opencode/opencode.json": "{\n  \"permission\": {\"bash\": \"deny\"}\n}\n"}, nothing: true},
		{mode: "allow", files: map[string]string{"config/opencode/opencode.json": "{\n  \"permission\": {\"bash\": \"ask\"}\n}\n"}, nothing: true}, // "ask" denies, since no person can approve the commands
		{mode: "allow", files: map[string]string{"config/opencode/opencode.json": "{\n  \"permission\": {\"bash\": {\"*\": \"allow\", \"python3 *\": \"deny\"}}\n}\n"}},
	},
}

// deny checks, in each mode, that a rule which denies a command blocks it in every way that cairn init installs, and
// that an allowed command runs. Both are first tried without cairn, to validate the check itself.
func deny(s *scene) (string, error) {
	for i, r := range rules[s.host.Name] {
		for name, text := range r.files {
			path := filepath.Join(s.home, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return "", err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return "", err
			}
		}
		for _, with := range []bool{false, true} {
			if with {
				if err := s.install(""); err != nil {
					return "", err
				}
			}
			if err := s.obeys(r); err != nil {
				return "", fmt.Errorf("rule %d, with cairn: %v: %w", i, with, err)
			}
		}
		if err := s.init("--remove"); err != nil {
			return "", err
		}
	}
	return "", nil
}

// obeys runs a denied command, by the shell tool and by the tool that cairn may have installed, and an allowed one.
func (s *scene) obeys(r rule) error {
	const denied = `python3 -c 'open("denied.txt", "w")'`
	shell := func(line string) model.Turn { return model.Use(s.host.Shell, s.host.ShellArgs(line)) }
	turns := []model.Turn{shell(denied), s.tool("capture_run", map[string]any{"command": denied}), shell("touch allowed.txt")}
	seen, err := s.offered(r, turns...)
	if r.nothing { // an agent may stop at the first refusal
		for _, turn := range turns[1:] {
			also, more := s.offered(r, turn)
			seen, err = append(seen, also...), errors.Join(err, more)
		}
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.dir, "denied.txt")); err == nil {
		return fmt.Errorf("the command that is denied was run; the model saw %q", seen)
	}
	if err := os.Remove(filepath.Join(s.dir, "allowed.txt")); (err == nil) == r.nothing {
		return fmt.Errorf("the command that is allowed, or is denied with all others: %v; the model saw %q", err, seen)
	}
	return nil
}

// offered plays the turns and returns what the model saw. It fails if a tool other than the host's own runs commands.
func (s *scene) offered(r rule, turns ...model.Turn) ([]string, error) {
	m := model.Start(append(turns, model.Say("done"))...)
	defer m.Close()
	if _, err := s.play(m, options{mode: r.mode, args: r.args, env: r.env}); err != nil {
		return nil, err
	}
	seen := m.Last().Results
	if len(m.Requests()) == 0 || !m.Over() && !r.nothing {
		return nil, fmt.Errorf("the agent stopped after %d requests; the model saw %q", len(m.Requests()), seen)
	}
	tools, err := json.Marshal(m.Last().Body["tools"])
	if err == nil && strings.Contains(string(tools), "capture_run") {
		err = fmt.Errorf("a tool that runs commands is offered: %s", tools)
	}
	return seen, err
}
