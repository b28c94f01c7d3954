package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/bench/agents/host"
	"cairn/bench/agents/model"
)

// plugged checks the plugin alone, installed in the host's own way, without cairn init: the host offers the tool recall
// and no tool that runs commands, and recall finds a capture. OpenCode's plugin is tested by the check "pruned".
func plugged(s *scene) (string, error) {
	o := options{mode: "rules", env: []string{"PATH=" + s.cairn + ":" + os.Getenv("PATH")}}
	prefix := ""
	switch s.host.Name {
	case "claude":
		dir, err := pluginDir("claude")
		if err != nil {
			return "", err
		}
		prefix = "mcp__plugin_cairn_cairn__"
		o.args = []string{"--plugin-dir", dir, "--allowedTools", "mcp__plugin_cairn_cairn"}
	case "gemini":
		dir, err := pluginDir("gemini")
		if err != nil {
			return "", err
		}
		prefix, o.mode = "mcp_cairn_", "allow"
		if err := s.linkExtension(dir, o.env); err != nil {
			return "", err
		}
	}
	if out, err := s.shell(s.cairn + "/cairn capture run -- " + pytest); err == nil {
		return "", fmt.Errorf("the run did not fail: %s", out)
	}
	m := model.Start(model.Use(prefix+"recall", map[string]any{"op": "list"}), model.Say("done"))
	defer m.Close()
	res, err := s.play(m, o)
	if err != nil {
		return "", err
	}
	tools := m.Last().Tools
	found := slices.Contains(tools, prefix+"recall") || slices.Contains(tools, "ToolSearch") // Claude Code offers the tools of servers through ToolSearch
	if !found || slices.Contains(tools, prefix+"capture_run") {
		return "", fmt.Errorf("the model was offered %q\n%s", tools, last(res.Stderr))
	}
	seen := m.Last().Results
	if len(seen) != 1 {
		return "", fmt.Errorf("the model saw %q", seen)
	}
	return "", has(seen[0], "pytest failed: 1 failed")
}

// pluginDir returns the directory of a plugin, for the command and for the test.
func pluginDir(name string) (string, error) {
	for _, root := range []string{".", "../.."} {
		dir, err := filepath.Abs(filepath.Join(root, "agents", "hosts", name))
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no plugin for %s below agents/hosts", name)
}

// linkExtension installs a Gemini extension from a directory.
func (s *scene) linkExtension(dir string, env []string) error {
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	r := host.Run{Host: s.host, Home: s.home, URL: "http://127.0.0.1:9"}
	cmd := exec.CommandContext(ctx, "node", s.agent, "extensions", "link", dir, "--consent")
	cmd.Dir, cmd.Env = s.dir, append(append(s.env(), r.Settings()...), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing the extension: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
