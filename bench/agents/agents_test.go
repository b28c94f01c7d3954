package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAgents runs every check for the agents that are installed below
// CAIRN_AGENTS: in CI the light ones, elsewhere whatever is there. Without the
// variable it is skipped, but for CI, where CAIRN_TEST_TOOLS is "required".
func TestAgents(t *testing.T) {
	dir := os.Getenv("CAIRN_AGENTS")
	required := os.Getenv("CAIRN_TEST_TOOLS") == "required"
	if dir == "" && !required {
		t.Skip("CAIRN_AGENTS does not say where agents are installed: see go -C bench run ./agents -install")
	}
	bin, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range chosen(nil) {
		t.Run(h.Name, func(t *testing.T) {
			if _, err := h.Find(dir); err != nil {
				if h.Light && required {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			for _, c := range checks {
				if !c.about(h) {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					lacks, err := runCheck(t.Context(), c, h, dir, bin, filepath.Join(sceneDir(t), "scene"))
					if err != nil {
						t.Fatal(err)
					}
					if lacks != "" {
						t.Skip(lacks)
					}
				})
			}
		})
	}
}

// sceneDir is a directory for a scene. What folds the captures of an agent may still
// write in it when the test is over, so that it is removed until it is gone.
func sceneDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cairn-scene-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}
