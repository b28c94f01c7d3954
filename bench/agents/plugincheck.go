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

// plugged: the plugin alone, installed as its host installs one, without cairn
// init: the host offers both tools, a run through capture_run is recorded, and recall
// finds it. OpenCode's plugin is driven by the check "pruned".
func plugged(s *scene) (string, error) {
	o := options{mode: "rules", env: []string{"PATH=" + s.cairn + ":" + os.Getenv("PATH")}}
	prefix := ""
	switch s.host.Name {
	case "claude":
		dir, err := pluginDir("cairn")
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
	m := model.Start(model.Use(prefix+"capture_run", map[string]any{"command": pytest}), model.Use(prefix+"recall", map[string]any{"op": "list"}), model.Say("done"))
	defer m.Close()
	res, err := s.play(m, o)
	if err != nil {
		return "", err
	}
	for _, tool := range []string{prefix + "capture_run", prefix + "recall"} {
		if !slices.Contains(m.Last().Tools, tool) {
			return "", fmt.Errorf("the model was not offered %s but %q\n%s", tool, m.Last().Tools, last(res.Stderr))
		}
	}
	seen := m.Last().Results
	if len(seen) != 2 {
		return "", fmt.Errorf("the model saw %q", seen)
	}
	if err := has(seen[0], "pytest failed: 1 failed, 1 passed (exit 1)", "test_sum.py:3:"); err != nil {
		return "", err
	}
	if err := has(seen[1], "pytest failed: 1 failed"); err != nil {
		return "", err
	}
	all, err := s.records()
	if err == nil && (len(all) != 1 || all[0].By.Agent != s.host.Name) {
		err = fmt.Errorf("the records are %+v", all)
	}
	return "", err
}

// pluginDir is where a plugin lies, for the command and for the test.
func pluginDir(name string) (string, error) {
	for _, root := range []string{".", "../.."} {
		dir, err := filepath.Abs(filepath.Join(root, "plugins", name))
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no plugin %s below plugins", name)
}

// linkExtension installs an extension of Gemini's from a directory.
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
