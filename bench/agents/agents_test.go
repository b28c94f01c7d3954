package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAgents runs every check for the agents that are installed below
// CAIRN_AGENTS: in CI the light ones, elsewhere whatever is there. Without the
// variable it is skipped, but for CI, where CAIRN_TEST_TOOLS is "required".
func TestAgents(t *testing.T) {
	dir := os.Getenv("CAIRN_AGENTS")
	required := os.Getenv("CAIRN_TEST_TOOLS") == "required"
	if dir == "" && !required {
		t.Skip("CAIRN_AGENTS does not say where agents are installed: see go run ./bench/agents -install")
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
					lacks, err := runCheck(t.Context(), c, h, dir, bin, filepath.Join(t.TempDir(), "scene"))
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
