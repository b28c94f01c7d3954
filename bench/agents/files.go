package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// configuration returns every file that configures the agent, with its bytes: the files that cairn init may change.
// Other files that agents write (logs, sessions, caches, counters) are left out.
func (s *scene) configuration() (map[string]string, error) {
	all := map[string]string{}
	for _, root := range []string{s.home, s.dir} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "tmp" || d.Name() == "cache" || d.Name() == "state" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			if !configures(path) {
				return nil
			}
			data, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			all[path] = string(data)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// configures says whether the file has one of the names that cairn init writes.
func configures(path string) bool {
	switch filepath.Base(path) {
	case "settings.json", "settings.local.json", ".mcp.json", "mcp.json", "mcp-config.json", "config.toml", "opencode.json", "opencode.jsonc", "CLAUDE.md", "AGENTS.md",
		"GEMINI.md", "SKILL.md", "cairn-shell", "bash", "installed.json":
		return !strings.Contains(path, "/.codex/skills/.system/") // Codex's own
	}
	return false
}

func equal(before, after map[string]string) (err error) {
	for path, text := range before {
		if got, ok := after[path]; !ok || got != text {
			err = errors.Join(err, fmt.Errorf("%s was\n%s\nand is\n%s", path, text, got))
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			err = errors.Join(err, fmt.Errorf("%s was not there", path))
		}
	}
	return err
}
