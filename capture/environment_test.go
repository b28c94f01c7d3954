package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSessionsOfOneEnvironment: the folder that Codex puts before the search path in each session, under
// another name, makes no other environment; another program in it does.
func TestSessionsOfOneEnvironment(t *testing.T) {
	home := t.TempDir()
	key := func(session string, names ...string) string {
		dir := filepath.Join(home, "tmp", "arg0-linux", "codex-arg0"+session)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return environmentOf([]string{"PATH=" + dir + string(filepath.ListSeparator) + "/usr/bin", "HOME=/h"}, func(s string) string { return s })
	}
	first := key("Xa1", "apply_patch", ".lock")
	if second := key("b2Y", "apply_patch", ".lock"); second != first {
		t.Error("two sessions are two environments")
	}
	if other := key("c3Z", "apply_patch", ".lock", "pytest"); other == first {
		t.Error("a program in the folder makes no other environment")
	}
}

// TestSearchPathTwice: a folder that stands again in the search path makes no other environment; another order does.
func TestSearchPathTwice(t *testing.T) {
	key := func(dirs ...string) string {
		return environmentOf([]string{"PATH=" + strings.Join(dirs, string(filepath.ListSeparator))}, func(s string) string { return s })
	}
	if key("/a", "/b", "/a", "/b") != key("/a", "/b") {
		t.Error("a folder again is another environment")
	}
	if key("/b", "/a") == key("/a", "/b") || key("/a", "", "/b") == key("/a", "/b") {
		t.Error("another search path is the same environment")
	}
}
