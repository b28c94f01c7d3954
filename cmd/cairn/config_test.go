package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/internal/place"
)

// TestSettings: each switch that the source reads is one that "cairn config" shows, or one
// that cairn sets itself for what it starts.
func TestSettings(t *testing.T) {
	shown := []string{
		"CAIRN_INSIDE", "CAIRN_PARENT", "CAIRN_SUBAGENT", // for commands within a capture, and for subagents
		"CAIRN_PROGRAM", "CAIRN_PRUNE", // read by plugins of hosts, which say so
	}
	for _, s := range (&app{}).settings(&place.Place{}) {
		shown = append(append(shown, s.variables...), s.keys...)
	}
	named := regexp.MustCompile(`"(CAIRN_[A-Z_]+|cairn\.(?:branch|show|fold|pack|[a-z]+))=?"`)
	read := map[string]bool{}
	for _, top := range []string{"agents", "capture", "cmd", "internal", "manifest", "objects", "recall", "render"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				if !strings.HasSuffix(m[1], ".exe") {
					read[m[1]] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range read {
		if !slices.Contains(shown, name) {
			t.Errorf("%s is read, and cairn config does not show it", name)
		}
	}
	if len(read) < 8 {
		t.Errorf("only %v were found in the source", read)
	}
}
