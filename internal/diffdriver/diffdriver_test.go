package diffdriver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/gitrepo"
)

func clone(t *testing.T) *gitrepo.Repo {
	t.Helper()
	for key, value := range map[string]string{"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": os.TempDir()} {
		t.Setenv(key, value)
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	r, err := gitrepo.Discover(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// TestUndoneExactly: whatever the files said before, they say it again.
func TestUndoneExactly(t *testing.T) {
	for name, before := range map[string]string{
		"nothing": "", "a line": "*.png binary\n", "no last newline": "*.png binary\n*.jpg binary", "windows": "*.png binary\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := clone(t)
			config := filepath.Join(r.CommonDir, "config")
			if before != "" {
				if err := os.MkdirAll(filepath.Dir(r.InfoAttributes()), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(r.InfoAttributes(), []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			was := read(t, config)
			for range 2 {
				if err := Install(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			if todo, err := Plan(t.Context(), r); err != nil || len(todo) != 0 {
				t.Errorf("after Install there is still %q to do (%v)", todo, err)
			}
			if got := read(t, r.InfoAttributes()); strings.Count(got, Attribute) != 1 || !strings.HasPrefix(got, before) {
				t.Errorf("the attributes are %q", got)
			}
			attr, err := exec.Command("git", "-C", r.TopLevel, "check-attr", "diff", "manifest/2026/11/20/a-1.jsonl").Output()
			if err != nil || !strings.Contains(string(attr), "diff: cairn") {
				t.Errorf("git sees %q (%v)", attr, err)
			}
			for range 2 {
				if err := Remove(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			if got := read(t, r.InfoAttributes()); got != before {
				t.Errorf("the attributes were %q and are %q", before, got)
			}
			if got := read(t, config); got != was {
				t.Errorf("the configuration was %q and is %q", was, got)
			}
			if todo, err := Plan(t.Context(), r); err != nil || len(todo) != 2 {
				t.Errorf("after Remove the plan is %q (%v)", todo, err)
			}
		})
	}
}

// TestLinesOfOthersStay: what was added since Install is not ours to remove.
func TestLinesOfOthersStay(t *testing.T) {
	r := clone(t)
	if err := Install(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	after := read(t, r.InfoAttributes()) + "*.pdf diff=pdf\n"
	if err := os.WriteFile(r.InfoAttributes(), []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := read(t, r.InfoAttributes()); got != "*.pdf diff=pdf\n" {
		t.Errorf("what is left is %q", got)
	}
}
