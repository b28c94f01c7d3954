package hosts

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
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case d.IsDir() && path == "pi":
			return fs.SkipDir // TestPiPackage
		case err != nil || d.IsDir() || filepath.Ext(path) == ".go":
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
				t.Errorf("%s is not skill/SKILL.md", path)
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
	if err != nil || found < 10 {
		t.Fatalf("%d files: %v", found, err)
	}
	if n := strings.Count(Skill, "\n"); n > 60 {
		t.Errorf("the skill has %d lines", n)
	}
}

// TestPiPackage: what package.json names is all there is, it needs nothing
// else at run time, and it stays a translation.
func TestPiPackage(t *testing.T) {
	data, err := os.ReadFile("pi/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Dependencies map[string]string
		Pi           struct{ Extensions, Skills []string }
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Dependencies) != 0 || len(p.Pi.Extensions) != 1 || len(p.Pi.Skills) != 1 {
		t.Errorf("%+v", p)
	}
	for _, name := range append(p.Pi.Extensions, p.Pi.Skills...) {
		if _, err := os.Stat(filepath.Join("pi", name)); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("pi/extensions/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(source), "\n")
	}
	if lines == 0 || lines > 700 {
		t.Errorf("%d lines of TypeScript", lines)
	}
}
