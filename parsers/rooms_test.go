package parsers

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// isRoom: the other folders are the kit.
func isRoom(e os.DirEntry) bool {
	return e.IsDir() && !slices.Contains([]string{"tool", "read", "text", "internal", "testdata"}, e.Name())
}

// TestRooms: each folder beside the kit is a room, and in the list.
func TestRooms(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	listed := roomFolders(t)
	for _, e := range entries {
		if !isRoom(e) {
			continue
		}
		if !slices.Contains(listed, e.Name()) {
			t.Errorf("%s is not in the list of rooms: a tool in it is never found", e.Name())
		}
	}
	if len(listed) != len(rooms) {
		t.Errorf("%d folders are imported as rooms, and %d rooms are listed", len(listed), len(rooms))
	}
	for _, r := range rooms {
		if len(r.Parsers()) == 0 {
			t.Error("a room without any tool is listed")
		}
	}
}

// roomFolders are the folders that the list of rooms imports.
func roomFolders(t *testing.T) (all []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "parsers.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		name, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "cairn/parsers/")
		if ok && !strings.Contains(name, "/") && name != "tool" {
			all = append(all, name)
		}
	}
	return all
}

// deep are the rooms of one tool or family, which are as long as its formats
// are many.
var deep = []string{"golang", "rust"}

// TestRoomsAreSmall: a tool in a room of an ecosystem is declared rather than
// programmed.
func TestRoomsAreSmall(t *testing.T) {
	var sizes []int
	for _, room := range roomFolders(t) {
		files, err := filepath.Glob(room + "/*.go")
		if err != nil || slices.Contains(deep, room) {
			continue
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "room.go" {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(text, []byte("\n"))
			tools := max(1, bytes.Count(text, []byte("Room.Add(")))
			for range tools {
				sizes = append(sizes, n/tools)
			}
			if n > maxRoomFile {
				t.Errorf("%s has %d lines, more than %d: what makes it long is a shape that some reader in parsers/read lacks", name, n, maxRoomFile)
			}
		}
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > maxRoomMedian {
		t.Errorf("half of %d tools take more than %d lines, and the other half should not reach %d: look for what several of them do alike", len(sizes), median-1, maxRoomMedian+1)
	}
}

// Bounds in the rooms of ecosystems, in lines: of a file, and of what one tool takes, since small tools of one subject
// share a file.
const (
	maxRoomFile   = 300
	maxRoomMedian = 56
)

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

// TestStartsHaveOneGap: a start begins with text, and the text behind the first gap of a start is looked for as it is
// written, so that a start with two gaps begins no line.
func TestStartsHaveOneGap(t *testing.T) {
	for _, p := range All() {
		for _, f := range p.Formats {
			for _, start := range f.Starts {
				if start == "" || strings.HasPrefix(start, "…") {
					t.Errorf("%s: %q begins with no text: every line would be looked at, and no reader be asked", p.Tool, start)
				}
				if strings.Count(start, "…") > 1 {
					t.Errorf("%s, %s: %q has more than one gap", p.Tool, f.Name, start)
				}
			}
		}
	}
}
