package agents

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlugins: the plugins carry the one skill, their settings are JSON, none
// decides what may run, and none rewrites.
func TestPlugins(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../plugins", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found++
		switch filepath.Ext(path) {
		case ".md":
			if string(data) != Skill {
				t.Errorf("%s is not agents/skill/SKILL.md", path)
			}
		case ".json":
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		case ".ts":
			if n := strings.Count(string(data), "\n"); n > 150 {
				t.Errorf("%s has %d lines", path, n)
			}
		}
		for _, word := range []string{"--rewrite", "\"trust\"", "permission", "allow"} {
			if filepath.Ext(path) == ".json" && strings.Contains(string(data), word) {
				t.Errorf("%s says %q: what may run is the user's to decide", path, word)
			}
		}
		return nil
	})
	if err != nil || found < 8 {
		t.Fatalf("%d files: %v", found, err)
	}
	if n := strings.Count(Skill, "\n"); n > 60 {
		t.Errorf("the skill has %d lines", n)
	}
}
