package parsers

import (
	"os"
	"slices"
	"testing"
)

// TestRooms: each folder beside the kit is a room, and in the list.
func TestRooms(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, e := range entries {
		if e.IsDir() && !slices.Contains([]string{"tool", "read", "internal", "testdata"}, e.Name()) {
			folders++
		}
	}
	if folders != len(rooms) {
		t.Errorf("%d folders are rooms and %d rooms are listed: a tool in a room that is not listed is never found", folders, len(rooms))
	}
}

// TestOneToolACommand: of two parsers that both say a command is theirs, the
// alphabet would decide.
func TestOneToolACommand(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.Tool] {
			t.Errorf("two parsers are called %s", p.Tool)
		}
		seen[p.Tool] = true
	}
	for _, line := range []string{"pytest -q", "go test ./...", "go build ./...", "go vet ./...", "cargo test", "cargo check", "cargo clippy", "cargo nextest run", "rustc x.rs",
		"ruff check", "ruff format", "mypy .", "eslint .", "tsc", "gotestsum ./..."} {
		c := table().Command(nil, line)
		n := 0
		for _, p := range All() {
			if p.Matches != nil && p.Matches(c.Argv) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d parsers say that %q is theirs", n, line)
		}
	}
}
